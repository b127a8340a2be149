"""Read the report of a run back from its JSON, also one that an older version wrote."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from ragcrawler.frontier import UrlCounts
from ragcrawler.run.indexing.deletion import GoneDocument, SiteDeletion
from ragcrawler.run.reporting.activity import CrawlActivity
from ragcrawler.run.reporting.report import ChunkCounts, DocumentCounts, RunReport
from ragcrawler.run.reporting.stage_times import StageTime
from ragcrawler.run.reporting.worker_result import CrawlWorker
from ragcrawler.stores import CollectionModels

Value = TypeVar("Value")

_NO_PAGES = {"seen": 0, "open": 0, "fetched": 0, "skipped": {}, "failed": {}}
_NO_MODELS = {"dense": "", "dense_dimensions": 0, "sparse": ""}
_NO_COUNTS = {"made": 0, "points": 0, "lost": 0, "unchanged": 0, "removed": 0, "tokens": 0}
_EMPTY: Mapping[str, Any] = {
    "spider": "",
    "started": "",
    "elapsed_seconds": 0.0,
    "end": "",
    "refusal": "",
    "collection": "",
    "collection_points": None,
    "converters": {},
    "stats": {},
}


def read_report(values: Mapping[str, Any]) -> RunReport:
    """The report; what an older version did not write is as a run has it that did nothing.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is no report.
    """
    activity, models = values.get("activity"), values.get("models")
    parts = {
        "pages": _made(UrlCounts, values.get("pages", {}), _NO_PAGES),
        "chunks": _made(ChunkCounts, values.get("chunks", {}), _NO_COUNTS),
        "models": _made(CollectionModels, models, _NO_MODELS) if models else None,
        "documents": _made(DocumentCounts, values.get("documents", {})),
        "deletions": tuple(map(_deletion, values.get("deletions", ()))),
        "times": {stage: _made(StageTime, spent) for stage, spent in values.get("times", {}).items()},
        "workers": tuple(_made(CrawlWorker, worker) for worker in values.get("workers", ())),
        "earlier_runs": tuple(map(str, values.get("earlier_runs", ()))),
        "domains": tuple(map(str, values.get("domains", ()))),
        "activity": CrawlActivity.from_json(activity) if activity else None,
    }
    return _made(RunReport, {**values, **parts}, _EMPTY)


def _made(kind: type[Value], values: Mapping[str, Any], missing: Mapping[str, Any] | None = None) -> Value:
    """An object of those values that it has fields for."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # all of them are dataclasses
    given = {name: value for name, value in values.items() if name in known}
    return kind(**{**(missing or {}), **given})


def _deletion(values: Mapping[str, Any]) -> SiteDeletion:
    lists = {name: tuple(_made(GoneDocument, each) for each in values[name]) for name in ("waiting", "due")}
    return _made(SiteDeletion, {**values, **lists})
