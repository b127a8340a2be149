"""Templates: what a research looks for, as JSON, and as a class that a language model fills in."""

from ragcrawler.research.templates.fields import Field, FieldKind
from ragcrawler.research.templates.parse import parse_template
from ragcrawler.research.templates.template import Template, named_template

__all__ = ["Field", "FieldKind", "Template", "named_template", "parse_template"]
