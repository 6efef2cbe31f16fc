"""The real producer, workers and collector in one process, under a clock that is ours."""
