"""Search a collection or in-memory indexes."""
