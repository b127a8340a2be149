"""Jupyter notebooks: Markdown cells as they are, code in fences, outputs as text and tables."""

from ragcrawler.conversion.notebook.convert_notebook import convert_notebook

__all__ = ["convert_notebook"]
