"""Templates: what is a definition, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ragcrawler.research.errors import TemplateError
from ragcrawler.research.templates import parse_template
from ragcrawler.research.templates.forms import cited_class, record_class
from ragcrawler.research.templates.seeded import seeded_templates

EVENT = '{"event": "str", "date": "str", "impact": "str"}'
WHOLE = {
    "name": "makers",
    "description": "A maker",
    "key": ["name"],
    "fields": {
        "name": "str",
        "founded": {"type": "date?", "description": "The year"},
        "products": "list[str]",
        "state": {"type": "enum", "values": ["active", "closed"]},
        "office": {"type": "object?", "fields": {"city": "str", "floors": "int?"}},
    },
}


def test_the_fields_alone_are_a_template_whose_first_field_is_the_key() -> None:
    template = parse_template(EVENT, "history")
    assert (template.name, template.key) == ("history", ("event",))
    assert [leaf.path for leaf in template.leaves] == ["event", "date", "impact"]


def test_a_template_is_read_as_it_was_written() -> None:
    template = parse_template(json.dumps(WHOLE))
    assert parse_template(json.dumps(template.to_record())) == template
    assert [leaf.path for leaf in template.leaves] == [
        *("name", "founded", "products", "state", "office.city", "office.floors")
    ]


def test_five_templates_are_there_from_the_beginning() -> None:
    names = [template.name for template in seeded_templates()]
    assert names == ["company", "economy", "history", "science", "technology"]


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ("[]", "not a list"),
        ("{", "no JSON"),
        ("{}", "no fields"),
        ('{"a": "str", "a": "int"}', "twice"),
        ('{"a": "text"}', "types are str"),
        ('{"a": "list[list[str]]"}', "types are str"),
        ('{"__class__": "str"}', "small letters"),
        ('{"a__b": "str"}', "small letters"),
        ('{"Name": "str"}', "small letters"),
        ('{"model_fields": "str"}', "meaning of its own"),
        ('{"copy": "str"}', "meaning of its own"),
        ('{"class": "str"}', "meaning of its own"),
        ('{"a": {"type": "enum"}}', "an enum has values"),
        ('{"a": {"type": "str", "values": ["x"]}}', "an enum has values"),
        ('{"a": {"type": "object"}}', "an object has fields"),
        ('{"a": {"type": "str", "default": "x"}}', "'default'"),
        ('{"a": {"type": "str", "description": "two\\nlines"}}', "one line"),
        ('{"a": "list[str]"}', "has to be one value"),
        ('{"fields": {"a": "str"}, "key": ["b"]}', "which is no field"),
        ('{"fields": {"a": "str"}, "eval": "1"}', "'eval'"),
        (json.dumps({f"f{number}": "str" for number in range(41)}), "more than 40 fields"),
        (json.dumps({"a": "str", "b": "x" * 20_000}), "bytes"),
        ("[" * 10_000, "no JSON"),
        ('{"a": NaN}', "no JSON"),
        (
            '{"k": "str", "a": {"type": "object", "fields": {"b": {"type": "object", "fields": '
            '{"c": {"type": "object", "fields": {"d": "str"}}}}}}}',
            "deeper than 3",
        ),
    ],
)
def test_what_is_no_template_is_refused_with_the_reason(definition: str, said: str) -> None:
    with pytest.raises(TemplateError, match=said.replace("[", r"\[")):
        parse_template(definition, "t")


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_any_json_is_a_template_or_refused(value: object) -> None:
    try:
        template = parse_template(json.dumps(value), "t")
    except TemplateError:
        return
    assert record_class(template).model_fields


def test_a_row_is_checked_by_the_live_class() -> None:
    row = record_class(parse_template(json.dumps(WHOLE)))
    whole = row.model_validate(
        {"name": "Acme", "products": ["x"], "state": "active", "office": {"city": "Rome"}}
    )
    assert whole.model_dump()["office"] == {"city": "Rome", "floors": None}
    for wrong in ({"state": "sold"}, {"name": ""}, {"other": 1}):
        with pytest.raises(ValidationError):
            row.model_validate({"name": "Acme", "state": "active", **wrong})


def test_a_model_gives_a_sentence_for_every_value() -> None:
    row = cited_class(parse_template(json.dumps(WHOLE)))
    cited = {"value": "Acme", "sentence": 1}
    assert row.model_validate({"name": cited}).model_dump()["founded"] is None
    for wrong in ({"name": "Acme"}, {}, {"name": cited, "state": {"value": "sold", "sentence": 1}}):
        with pytest.raises(ValidationError):
            row.model_validate(wrong)
