"""The arguments of the spiders that read this machine."""

from pathlib import Path

import pytest
from scrapy.settings import Settings

from ragcrawler.spiders.arguments import ArgumentError
from ragcrawler.spiders.local.files_arguments import FILES_ARGUMENTS, FilesArguments
from ragcrawler.spiders.local.firecrawl import FireCrawlSpider
from ragcrawler.spiders.local.firecrawl_arguments import FIRECRAWL_ARGUMENTS, FireCrawlArguments

SOURCES = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "argument", [*FILES_ARGUMENTS, *FIRECRAWL_ARGUMENTS], ids=lambda argument: argument.name
)
def test_an_argument_has_its_row_in_the_docs(argument: object) -> None:
    assert f"| `{argument.name}` | `" in SOURCES  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "should be a folder"),
        ({"path": "no/such/folder"}, "no/such/folder should be a folder"),
        ({"path": ".", "domains": "a.org"}, "`scrapy arguments files`"),
        ({"path": ".", "base_url": "ftp://a.org/"}, "base_url=ftp://a.org/"),
        ({"path": ".", "base_url": "https://a.org/?x=1"}, "no query"),
        ({"path": ".", "dry_run": "maybe"}, "dry_run=maybe"),
    ],
)
def test_a_wrong_argument_is_refused_with_what_would_be_right(
    arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message.replace("?", r"\?")):
        FilesArguments.parse(arguments)


def test_a_crawl_may_delete_what_lies_under_its_base_url_alone() -> None:
    linked = FilesArguments.parse({"path": ".", "base_url": "https://a.org/docs"}).options.contains
    plain = FilesArguments.parse({"path": "."}).options.contains
    assert linked is not None
    assert plain is not None
    assert [linked(url) for url in ("https://a.org/docs/x", "https://a.org/other", "x.md")] == [
        True,
        False,
        False,
    ]
    assert [plain(url) for url in ("https://a.org/docs/x", "guide/x.md")] == [False, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "should be a JSON file"),
        ({"path": "PATH", "output": "no/such/folder/c.json"}, "its folder does not exist"),
        ({"path": "PATH", "shape": "other"}, "shape=other should be one of chunks, anthropic"),
        ({"path": "PATH", "include": "x"}, "`scrapy arguments firecrawl`"),
    ],
)
def test_a_wrong_argument_of_an_export_is_refused(
    arguments: dict[str, str], message: str, tmp_path: Path
) -> None:
    (tmp_path / "export.json").write_text("{}")
    named = {name: value.replace("PATH", str(tmp_path / "export.json")) for name, value in arguments.items()}
    with pytest.raises(ArgumentError, match=message):
        FireCrawlArguments.parse(named)


@pytest.mark.parametrize(("chosen", "profile"), [("auto", "firecrawl"), ("structure", "structure")])
def test_an_export_is_cut_as_specification_003_does_unless_the_user_chose(chosen: str, profile: str) -> None:
    settings = Settings({"CHUNK_PROFILE": chosen})
    FireCrawlSpider.update_settings(settings)
    assert settings["CHUNK_PROFILE"] == profile
