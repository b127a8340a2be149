"""The front matter of Markdown files, YAML between `---` lines or TOML between `+++` lines."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from ragcrawler.conversion.text_cleaning import without_surrogates
from ragcrawler.items import Metadata

_FRONT_MATTER = re.compile(r"\A\ufeff?(---|\+\+\+)[ \t]*\r?\n(.*?)\r?\n\1[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_MAX_CHARACTERS = 64 * 1024
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a text.

    Attributes:
        title: "" where none is given.
        metadata: what else it says; a warning where it could not be read.
    """

    title: str = ""
    metadata: Metadata = field(default_factory=Metadata)


def read_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter and the text below it; invalid front matter stays in the text."""
    found = _FRONT_MATTER.match(text[:_MAX_CHARACTERS])
    if found is None:
        return FrontMatter(), text
    try:
        values = _values(found)
    except (ValueError, RecursionError) as error:
        warning = f"front matter that could not be read: {error}"
        return FrontMatter(metadata=Metadata(warnings=(" ".join(warning.split()),))), text
    return _front_matter(values), text[found.end() :]


def front_matter_values(text: str) -> Mapping[str, Any]:
    """The values of the front matter by names in lower case; empty where none can be read."""
    found = _FRONT_MATTER.match(text[:_MAX_CHARACTERS])
    try:
        return _values(found) if found else {}
    except (ValueError, RecursionError):
        return {}


def _values(found: re.Match[str]) -> dict[str, Any]:
    """Front matter as names in lower case and values.

    Raises:
        ValueError: it is neither YAML nor TOML, or no mapping.
        RecursionError: it is nested too deeply.
    """
    values = tomllib.loads(found.group(2)) if found.group(1) == "+++" else _yaml(found.group(2))
    return {str(key).lower(): value for key, value in values.items()}


def _yaml(source: str) -> Mapping[Any, Any]:
    """YAML as a mapping; no type but the plain ones is made of it.

    Raises:
        ValueError: it is no YAML, or no mapping.
        RecursionError: it is nested too deeply.
    """
    import yaml

    try:
        values: object = yaml.safe_load(source)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    if not isinstance(values, Mapping):
        raise ValueError(f"it is {type(values).__name__}, not key and value")  # noqa: TRY004 (one error for all of it)
    return values


def _front_matter(values: Mapping[str, Any]) -> FrontMatter:
    return FrontMatter(
        title=_text(values, "title"),
        metadata=Metadata(
            description=_text(values, "description", "summary", "excerpt"),
            language=_text(values, "lang", "language"),
            author=_text(values, "author", "authors"),
            published=_date(values, "date", "published", "pubdate"),
            modified=_date(values, "lastmod", "last_modified", "modified", "updated"),
            canonical_url=_text(values, "canonical_url", "canonical"),
        ),
    )


def _text(values: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = values.get(name)
        parts = value if isinstance(value, list) else [value]
        texts = [
            " ".join(without_surrogates(str(part)).split())
            for part in parts
            if isinstance(part, str | int | float)
        ]
        if texts:
            return "; ".join(texts)
    return ""


def _date(values: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = values.get(name)
        # Of nothing else is text made: YAML can name one list many times, and its text would be endless.
        text = value.isoformat() if isinstance(value, date) else value
        if isinstance(text, str) and (found := _DATE.match(text)):
            return found.group()
    return ""
