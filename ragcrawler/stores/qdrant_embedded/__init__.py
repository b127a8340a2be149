"""The embedded store: Qdrant's engine in this process, a folder for each collection."""
