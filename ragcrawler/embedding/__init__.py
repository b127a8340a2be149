"""Embedding: dense and sparse vectors of texts, by models from a hub, from a folder, or bundled."""
