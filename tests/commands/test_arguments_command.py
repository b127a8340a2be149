"""`scrapy arguments`, and that it names what the spider takes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ragcrawler.spiders.argument_table import ARGUMENTS
from ragcrawler.spiders.arguments import NAMES, ArgumentError, SeedsArguments

CRAWLING = (Path(__file__).parents[2] / "docs" / "crawling.md").read_text(encoding="utf-8")


def test_the_table_has_every_argument_that_the_spider_takes() -> None:
    assert sorted(argument.name for argument in ARGUMENTS) == sorted(NAMES)


@pytest.mark.parametrize("argument", ARGUMENTS, ids=lambda argument: argument.name)
def test_an_argument_has_its_row_in_the_docs(argument: object) -> None:
    assert f"| `{argument.name}` | `" in CRAWLING  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["max_pages", "max_depth", "include", "exclude", "languages", "versions"])
def test_the_example_of_an_argument_is_one_that_the_spider_takes(name: str) -> None:
    (argument,) = (argument for argument in ARGUMENTS if argument.name == name)
    domains = next(argument.value for argument in ARGUMENTS if argument.name == "domains")
    assert SeedsArguments.parse({"domains": domains, name: argument.value}).start_urls


def test_an_unknown_argument_is_refused_with_the_command_that_explains_them() -> None:
    with pytest.raises(ArgumentError, match="scrapy arguments"):
        SeedsArguments.parse({"domain": "a.org"})


def test_the_command_prints_the_table(make_scrapy: Callable[[Path], object], tmp_path: Path) -> None:
    scrapy = make_scrapy(tmp_path)
    shown = scrapy.run("arguments", "seeds")  # type: ignore[attr-defined]
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert [line.split("=")[0].strip() for line in lines[2:]] == [argument.name for argument in ARGUMENTS]
    other = scrapy.run("arguments", "no-such-spider")  # type: ignore[attr-defined]
    assert (other.returncode, other.stdout) == (1, "")
    assert "there is no spider 'no-such-spider'" in other.stderr
