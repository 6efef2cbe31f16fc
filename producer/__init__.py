"""The producer: records in, chunks on the queue."""
