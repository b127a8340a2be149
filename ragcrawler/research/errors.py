"""The errors of a research."""


class ResearchError(Exception):
    """A research cannot begin or go on; the message says what happened and what to do."""


class TemplateError(ResearchError):
    """A template is invalid; the message names the field, its value and what would be right."""
