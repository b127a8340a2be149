"""Vectors of a text's tokens, from the run of the model that makes its dense vector."""
