"""JSON to a template. A definition is data: nothing in it is evaluated."""

import json
import re
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import Any, cast, get_args

from pydantic import BaseModel

from ragcrawler.research.errors import TemplateError
from ragcrawler.research.templates.fields import Field, FieldKind, leaves
from ragcrawler.research.templates.template import Template

MAX_BYTES = 20_000
MAX_LEAVES = 40
MAX_DEPTH = 3
MAX_CHOICES = 50
MAX_TEXT = 500

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_MAX_NAME = 40
_TYPE = re.compile(r"(?:list\[(?P<items>\w+)\]|(?P<one>\w+))(?P<optional>\?)?")
_KINDS = get_args(FieldKind)
_DEFINITION_KEYS = {"type", "description", "values", "fields"}
_TEMPLATE_KEYS = {"name", "description", "key", "fields"}


def parse_template(text: str, name: str = "") -> Template:
    """Read a definition.

    Args:
        text: JSON: an object with `name`, `description`, `key` and `fields`, or the fields alone:
            `{"event": "str", "date": "date?", "places": "list[str]"}`. A field is a type, or an object with
            `type`, `description`, `values` (of an enum) and `fields` (of an object). A question mark makes a
            field optional. Without `key` the first field is the key.
        name: of the template, where the text names none.

    Raises:
        TemplateError: it is no such definition; says where.
    """
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise TemplateError(f"the template has more than {MAX_BYTES} bytes")
    try:
        record = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise TemplateError(f"the template is no JSON: {error}") from error
    if not isinstance(record, dict):
        raise TemplateError(f"a template is a JSON object, not a {type(record).__name__}")
    if not isinstance(record.get("fields"), dict):
        record = {"fields": record}
    elif unknown := set(record) - _TEMPLATE_KEYS:
        raise TemplateError(f"the template has {_listed(unknown)}; known are {_listed(_TEMPLATE_KEYS)}")
    return _template(record, name)


def _template(record: Mapping[str, Any], name: str) -> Template:
    name = _checked_name(record.get("name", name), "the template's name")
    fields = _fields(record["fields"], "", 1)
    if len(list(leaves(fields))) > MAX_LEAVES:
        raise TemplateError(f"the template {name!r} has more than {MAX_LEAVES} fields")
    return Template(name, _text(record.get("description", ""), "description"), fields, _key(record, fields))


def _key(record: Mapping[str, Any], fields: tuple[Field, ...]) -> tuple[str, ...]:
    key = record.get("key", [fields[0].name])
    if not (isinstance(key, list) and key and all(isinstance(each, str) for each in key)):
        raise TemplateError(f"the key is a list of the names of fields, not {key!r}")
    by_name = {field.name: field for field in fields}
    for each in key:
        field = by_name.get(each)
        if field is None:
            raise TemplateError(f"the key names {each!r}, which is no field; there are {_listed(by_name)}")
        if field.is_list or field.is_optional or field.kind == "object":
            raise TemplateError(f"the field {each!r} of the key has to be one value that no row lacks")
    return tuple(dict.fromkeys(key))


def _fields(definitions: Mapping[str, Any], path: str, depth: int) -> tuple[Field, ...]:
    if depth > MAX_DEPTH:
        raise TemplateError(f"{path[:-1]} lies deeper than {MAX_DEPTH} levels")
    if not definitions:
        raise TemplateError(f"{path[:-1] or 'the template'} has no fields")
    return tuple(_field(name, definition, path, depth) for name, definition in definitions.items())


def _field(name: str, definition: object, path: str, depth: int) -> Field:
    where = path + _checked_name(name, f"the name of a field of {path[:-1] or 'the template'}")
    if isinstance(definition, str):
        definition = {"type": definition}
    if not isinstance(definition, dict) or not isinstance(definition.get("type"), str):
        raise TemplateError(f"{where}: a field is a type or an object with a type, not {definition!r}")
    if unknown := set(definition) - _DEFINITION_KEYS:
        raise TemplateError(f"{where} has {_listed(unknown)}; known are {_listed(_DEFINITION_KEYS)}")
    matched = _TYPE.fullmatch(definition["type"].replace(" ", ""))
    kind = (matched["items"] or matched["one"]) if matched else ""
    if matched is None or kind not in _KINDS:
        raise TemplateError(
            f"{where} has the type {definition['type']!r}; types are {', '.join(_KINDS)}, "
            "list[...] of them, and each with a question mark where it may be missing"
        )
    return Field(
        name,
        cast("FieldKind", kind),
        is_list=matched["items"] is not None,
        is_optional=matched["optional"] is not None,
        description=_text(definition.get("description", ""), f"{where}: the description"),
        choices=_choices(definition, where, kind),
        fields=_nested(definition, where, kind, depth),
    )


def _choices(definition: Mapping[str, Any], where: str, kind: str) -> tuple[str, ...]:
    values = definition.get("values", [])
    if (kind == "enum") != bool(values):
        raise TemplateError(f"{where}: an enum has values, and no other type has")
    if not isinstance(values, list) or len(values) > MAX_CHOICES:
        raise TemplateError(f"{where}: the values of an enum are a list of at most {MAX_CHOICES} texts")
    return tuple(dict.fromkeys(_text(value, f"{where}: a value") for value in values))


def _nested(definition: Mapping[str, Any], where: str, kind: str, depth: int) -> tuple[Field, ...]:
    fields = definition.get("fields", {})
    if (kind == "object") != bool(fields) or not isinstance(fields, dict):
        raise TemplateError(f"{where}: an object has fields, and no other type has")
    return _fields(fields, f"{where}.", depth + 1) if fields else ()


def _checked_name(name: object, what: str) -> str:
    """A name that is safe as an attribute: an identifier that neither Python nor pydantic uses."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > _MAX_NAME:
        raise TemplateError(
            f"{what} is {name!r}; right are up to {_MAX_NAME} small letters, digits and single underscores, "
            "a letter first"
        )
    if iskeyword(name) or hasattr(BaseModel, name) or name.startswith("model_"):
        raise TemplateError(f"{what} is {name!r}, which has a meaning of its own; choose another one")
    return name


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        raise TemplateError(f"{what} is one line of at most {MAX_TEXT} characters, not {str(value)[:80]!r}")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if twice := {name for name in names if names.count(name) > 1}:
        raise TemplateError(f"the template names {_listed(twice)} twice")
    return dict(pairs)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(map(repr, names)))
