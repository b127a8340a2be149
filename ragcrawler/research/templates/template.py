"""A template, and its form as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.research.errors import TemplateError
from ragcrawler.research.templates.fields import Field, Leaf, leaves


@dataclass(frozen=True, slots=True)
class Template:
    """What a research looks for: each row of its result is one thing with these fields.

    Attributes:
        name: an identifier in lower case.
        description: of a row, shown to the language model, "" for none.
        fields: of a row.
        key: names of the fields by which two rows are the same thing.
    """

    name: str
    description: str
    fields: tuple[Field, ...]
    key: tuple[str, ...]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """The fields that hold values; those of objects have dots in their paths."""
        return tuple(leaves(self.fields))

    def to_record(self) -> dict[str, Any]:
        """The definition as JSON values; `parse_template` reads it."""
        return {
            "name": self.name,
            "description": self.description,
            "key": list(self.key),
            "fields": {field.name: _definition(field) for field in self.fields},
        }


def named_template(templates: Sequence[Template], name: str) -> Template:
    """One of some templates.

    Raises:
        TemplateError: there is none of that name.
    """
    for template in templates:
        if template.name == name:
            return template
    names = ", ".join(template.name for template in templates)
    raise TemplateError(f"there is no template {name!r}; there are {names or 'none'}")


def _definition(field: Field) -> str | dict[str, Any]:
    kind = f"list[{field.kind}]" if field.is_list else field.kind
    if not (field.description or field.choices or field.fields):
        return kind + "?" * field.is_optional
    definition: dict[str, Any] = {"type": kind + "?" * field.is_optional}
    if field.description:
        definition["description"] = field.description
    if field.choices:
        definition["values"] = list(field.choices)
    if field.fields:
        definition["fields"] = {each.name: _definition(each) for each in field.fields}
    return definition
