"""Every reason for which a URL is skipped or lost is explained, and none that is not given."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

from ragcrawler.conversion.errors import Reason as ConversionReason
from ragcrawler.frontier.filters.rules import Refusal as RuleReason
from ragcrawler.frontier.filters.traps import TrapReason
from ragcrawler.frontier.filters.url_filter import PlaceReason
from ragcrawler.frontier.filters.variants import Refusal as VariantReason
from ragcrawler.sources.firecrawl.record import RecordReason
from ragcrawler.sources.folder import LeftOut, Unread
from ragcrawler.spiders.responses.download_failures import _REASONS
from ragcrawler.urls.address_guard import AddressReason
from ragcrawler.urls.errors import UrlReason

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "ragcrawler"
SECTION = (
    (PROJECT / "docs" / "crawling.md")
    .read_text(encoding="utf-8")
    .partition("## Why was a URL skipped")[2]
    .partition("\n## ")[0]
)
ROWS = [line.partition("|")[2].partition("|")[0] for line in SECTION.splitlines() if line.startswith("| `")]
DOCUMENTED = {word for row in ROWS for word in re.findall(r"`([a-z0-9_]+)`", row)}

# Calls that take a reason, and where it stands among their arguments.
_CALLS = {
    "skip": 1,
    "fail": 1,
    "_skip": 1,
    "RequestRefused": 0,
    "PageSkipped": 0,
    "PageFailed": 0,
    "_refuse": 0,
}
_TYPES = (
    ConversionReason,
    AddressReason,
    UrlReason,
    PlaceReason,
    RuleReason,
    TrapReason,
    VariantReason,
    LeftOut,
    Unread,
    RecordReason,
)


def constants(tree: ast.Module) -> dict[str, str]:
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }


@cache
def sources() -> tuple[str, ...]:
    """The modules of the package; read once, by the process that runs these tests."""
    return tuple(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))


@cache
def used() -> set[str]:
    """The reasons that the package gives."""
    trees = [ast.parse(source) for source in sources()]
    named = {name: value for tree in trees for name, value in constants(tree).items()}
    nodes = [node for tree in trees for node in ast.walk(tree)]
    words = {
        *in_calls(nodes, named),
        *in_functions(nodes, named),
        *(reason for _, reason in _REASONS),
        *(word for kind in _TYPES for word in get_args(kind)),
    }
    return words - {"skipped", "failed", "reason", "", "http_"}


def given(node: ast.AST, named: Mapping[str, str]) -> Iterator[str]:
    """The words that an expression for a reason may have."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Name) and part.id in named:
            yield named[part.id]


def in_calls(nodes: Iterable[ast.AST], named: Mapping[str, str]) -> Iterator[str]:
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = _CALLS.get(name)
        if place is not None and len(node.args) > place:
            yield from given(node.args[place], named)


def in_functions(nodes: Iterable[ast.AST], named: Mapping[str, str]) -> Iterator[str]:
    """The words that functions named `refusal` and `failure_reason` return."""
    for function in nodes:
        if isinstance(function, ast.FunctionDef) and function.name in {"refusal", "failure_reason"}:
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    yield from given(node.value, named)


def test_each_reason_is_explained() -> None:
    words = {word for word in used() if re.fullmatch(r"[a-z][a-z0-9_]+", word)}
    assert words - DOCUMENTED == set()


def test_each_reason_that_is_explained_is_given() -> None:
    text = "\n".join(sources())

    def is_given(reason: str) -> bool:
        written = "http_" if reason.startswith("http_") else reason.removesuffix("_error")
        return f'"{written}' in text or f'{written}"' in text

    # "finished" is Scrapy's own word for the end of a crawl.
    assert {reason for reason in DOCUMENTED - {"finished"} if not is_given(reason)} == set()


def test_the_search_for_reasons_finds_those_of_each_kind() -> None:
    assert {"offsite", "max_depth", "redirected", "trap_depth", "empty", "store_error", "robots"} <= used()
