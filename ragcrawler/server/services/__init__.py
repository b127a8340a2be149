"""Plain functions over an open collection: typed questions in, typed results out; no HTTP."""
