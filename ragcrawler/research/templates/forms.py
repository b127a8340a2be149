"""A template as pydantic classes, made at run time."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional

from pydantic import BaseModel, ConfigDict, create_model
from pydantic import Field as FormField

from ragcrawler.research.templates.fields import Field
from ragcrawler.research.templates.template import Template

MAX_ROWS = 50
_MAX_VALUE = 1_000
_MAX_VALUES = 50
_DATE = "ISO 8601: YYYY-MM-DD, YYYY-MM or YYYY; years before Christ as -0044"
_TYPES: dict[str, Any] = {
    "str": Annotated[str, FormField(min_length=1, max_length=_MAX_VALUE)],
    "int": int,
    "float": Annotated[float, FormField(allow_inf_nan=False)],
    "bool": bool,
    "date": Annotated[str, FormField(min_length=1, max_length=40, description=_DATE)],
}


class Row(BaseModel):
    """A row of the template: one thing."""

    model_config = ConfigDict(extra="forbid")


def record_class(template: Template) -> type[BaseModel]:
    """The class of a whole row: plain values, as they are stored and exported."""
    return _class(template.name, template.description, template.fields, lambda each: each, is_partial=False)


def cited_class(template: Template) -> type[BaseModel]:
    """The class that a language model fills in: each value with the number of its sentence.

    A page seldom says all of a row, so every field but the key may be missing.
    """
    return _class(
        template.name, template.description, template.fields, _cited, is_partial=True, key=template.key
    )


def _class(
    name: str,
    description: str,
    fields: tuple[Field, ...],
    leaf: Callable[[Any], Any],
    *,
    is_partial: bool,
    key: tuple[str, ...] = (),
) -> type[BaseModel]:
    definitions: dict[str, Any] = {}
    for field in fields:
        inner = (
            _class(field.name, field.description, field.fields, leaf, is_partial=is_partial)
            if field.kind == "object"
            else leaf(_type(field))
        )
        shown = FormField(description=field.description or None)
        if field.is_list:
            many = Annotated[list[inner], FormField(max_length=_MAX_VALUES)]  # type: ignore[valid-type]
            definitions[field.name] = (Annotated[many, shown], FormField(default_factory=list))
        elif field.is_optional or (is_partial and field.name not in key):
            definitions[field.name] = (Annotated[Optional[inner], shown], None)  # noqa: UP045 - made at run time
        else:
            definitions[field.name] = (Annotated[inner, shown], ...)
    title = "".join(part.capitalize() for part in name.split("_"))
    return create_model(title, __base__=Row, __doc__=description or None, **definitions)


def _type(field: Field) -> Any:
    return Literal[field.choices] if field.kind == "enum" else _TYPES[field.kind]


def _cited(value: Any) -> Any:
    return create_model(
        "Cited",
        __base__=Row,
        __doc__="A value, and where it stands.",
        value=(value, ...),
        sentence=(int, FormField(description="The number of the sentence that says it")),
    )
