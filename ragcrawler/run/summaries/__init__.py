"""Summaries of passages by a language model, stored beside them (specification 003)."""
