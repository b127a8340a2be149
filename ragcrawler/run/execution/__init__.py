"""How calls are queued, batched, retried, and kept on one thread."""
