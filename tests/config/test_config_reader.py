"""Settings are typed where they are read, and refused with name, value and what would be right."""

from dataclasses import dataclass

import pytest

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import FromSettings, SettingsReader, setting


@pytest.mark.parametrize(
    ("value", "call", "result"),
    [
        (3, lambda read: read.integer("NAME"), 3),
        ("3", lambda read: read.integer("NAME"), 3),
        ("0.5", lambda read: read.number("NAME"), 0.5),
        (2, lambda read: read.number("NAME"), 2.0),
        ("True", lambda read: read.flag("NAME"), True),
        ("0", lambda read: read.flag("NAME"), False),
        (None, lambda read: read.text("NAME"), ""),
        (0, lambda read: read.share("NAME", least=0.5), 0.0),
        ("2", lambda read: read.mebibytes("NAME"), 2 * 2**20),
        ("lines", lambda read: read.choice("NAME", ("lines", "keep")), "lines"),
    ],
)
def test_a_value_is_read_as_its_type_from_text_as_well(value: object, call: object, result: object) -> None:
    assert call(SettingsReader({"NAME": value})) == result  # type: ignore[operator]


@pytest.mark.parametrize(
    ("value", "call", "expected"),
    [
        ("many", lambda read: read.integer("NAME"), "a whole number of at least 0"),
        (0, lambda read: read.integer("NAME", minimum=1), "a whole number of at least 1"),
        (True, lambda read: read.integer("NAME"), "a whole number of at least 0"),
        (1.5, lambda read: read.integer("NAME"), "a whole number of at least 0"),
        ("soon", lambda read: read.number("NAME"), "a number above 0"),
        (0, lambda read: read.number("NAME"), "a number above 0"),
        ("inf", lambda read: read.number("NAME"), "a number above 0"),
        ("nan", lambda read: read.number("NAME"), "a number above 0"),
        (101, lambda read: read.number("NAME", most=100), "a number above 0 and at most 100"),
        (1.1, lambda read: read.share("NAME"), "a number from 0 to 1"),
        (0.2, lambda read: read.share("NAME", least=0.5), "0, or from 0.5 to 1"),
        ("2.5", lambda read: read.mebibytes("NAME"), "a whole number of at least 0"),
        ("perhaps", lambda read: read.flag("NAME"), "True or False"),
        ("words", lambda read: read.choice("NAME", ("lines", "keep")), "one of lines, keep"),
        ("words", lambda read: read.choice("NAME", ("", "llm")), "empty, or one of llm"),
        (7, lambda read: read.text("NAME"), "text"),
        ("", lambda read: read.folder("NAME"), "the path of a folder"),
    ],
)
def test_a_wrong_value_is_refused_with_its_name(value: object, call: object, expected: str) -> None:
    with pytest.raises(SettingError) as caught:
        call(SettingsReader({"NAME": value}))  # type: ignore[operator]
    assert str(caught.value) == f"NAME is {value!r}, but should be {expected}"


@dataclass(frozen=True, slots=True)
class Example(FromSettings):
    key: str = setting("A_KEY", "text", secret=True)
    retries: int = setting("A_RETRIES", "integer", minimum=1, default=2)


def test_a_field_has_its_setting_and_a_secret_is_not_shown() -> None:
    example = Example.from_settings({"A_KEY": "hidden", "A_RETRIES": "3"})
    assert (example.key, example.retries) == ("hidden", 3)
    assert "hidden" not in repr(example)
    assert Example("k").retries == 2
    with pytest.raises(SettingError, match="A_RETRIES is '0', but should be a whole number of at least 1"):
        Example.from_settings({"A_KEY": "", "A_RETRIES": "0"})
