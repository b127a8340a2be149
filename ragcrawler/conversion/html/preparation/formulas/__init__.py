"""Formulas of any kind as TeX, in `tex-inline` and `tex-display` elements."""

from ragcrawler.conversion.html.preparation.formulas.mark import mark_formulas

__all__ = ["mark_formulas"]
