"""Keep a collection right: verify, repair, reindex, evaluate, tune."""
