"""The worker: a chunk in, its answers stored. ``celery -A worker worker`` runs one by hand."""
