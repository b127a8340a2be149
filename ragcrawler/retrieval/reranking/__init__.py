"""Rerank hits with a cross-encoder or a language model."""
