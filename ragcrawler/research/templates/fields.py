"""The fields of a template."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

FieldKind = Literal["str", "int", "float", "bool", "date", "enum", "object"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a template.

    Attributes:
        name: an identifier in lower case.
        kind: of its value, or of each of its values.
        is_list: it has any number of values.
        is_optional: a row is whole without it.
        description: shown to the language model, "" for none.
        choices: the values of an enum.
        fields: of an object.
    """

    name: str
    kind: FieldKind
    is_list: bool = False
    is_optional: bool = False
    description: str = ""
    choices: tuple[str, ...] = ()
    fields: tuple["Field", ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field that holds values, by its path.

    Attributes:
        path: names from the outermost field to this one, joined by dots.
        field: the field itself.
        is_repeated: it, or an object around it, is a list: a row may have many values of it.
    """

    path: str
    field: Field
    is_repeated: bool


def leaves(fields: tuple[Field, ...], path: str = "", *, is_repeated: bool = False) -> Iterator[Leaf]:
    """The fields that hold values, in the order of the template."""
    for field in fields:
        repeated = is_repeated or field.is_list
        if field.kind == "object":
            yield from leaves(field.fields, f"{path}{field.name}.", is_repeated=repeated)
        else:
            yield Leaf(path + field.name, field, repeated)
