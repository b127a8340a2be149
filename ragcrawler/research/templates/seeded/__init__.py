"""The templates that a new database begins with."""

from importlib.resources import files

from ragcrawler.research.templates.parse import parse_template
from ragcrawler.research.templates.template import Template


def seeded_templates() -> list[Template]:
    """History, economy, technology, company and science, by name."""
    found = (file for file in files(__package__).iterdir() if file.name.endswith(".json"))
    return sorted((parse_template(file.read_text("utf-8")) for file in found), key=lambda each: each.name)
