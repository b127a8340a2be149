"""Copy chunks into a collection: imports, and rebuilding one collection from another."""
