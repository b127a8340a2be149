"""`ragcrawler.crawl`: a crawl in a process of its own, from a script or a notebook."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ragcrawler.api.child import CrawlOrder, Ended, run_child
from ragcrawler.api.errors import RagcrawlerError

_COULD_NOT_BEGIN = 1
_WARNING, _ERROR = "Warning: ", "Error: "


@dataclass(frozen=True, slots=True)
class CrawlSummary:
    """How a crawl went, in the numbers of its report.

    Attributes:
        exit_code: as of `scrapy crawl`: 0 whole, 3 nothing fetched, 4 pages lost, and so on.
        end: the reason for which it ended, "finished" say.
        fetched: pages.
        skipped: pages that were left out on purpose, by reason.
        failed: pages that were lost, by reason.
        new: documents that the collection did not have.
        changed: documents whose text changed.
        unchanged: documents whose text did not.
        removed: documents that are gone.
        chunks: that were made of the pages.
        embedded: chunks whose vectors were made, not known already.
        collection_points: chunks in the collection now; None where it could not be counted.
        run_folder: has the report, the feed and the list of lost pages.
        warnings: of settings that are not read.
        report: everything that report.json says.
    """

    exit_code: int
    end: str
    fetched: int
    skipped: Mapping[str, int]
    failed: Mapping[str, int]
    new: int
    changed: int
    unchanged: int
    removed: int
    chunks: int
    embedded: int
    collection_points: int | None
    run_folder: Path
    warnings: tuple[str, ...]
    report: Mapping[str, Any]

    @property
    def is_whole(self) -> bool:
        """Whether nothing was lost."""
        return self.exit_code == 0


def crawl(
    domains: str | Sequence[str] = (),
    *,
    spider: str = "seeds",
    settings: Mapping[str, object] | None = None,
    log: TextIO | None = None,
    **arguments: object,
) -> CrawlSummary:
    """Crawl, and return when it has ended; a process of its own does it, so any event loop may be running.

    An interruption (Ctrl-C, or the stop button of a notebook) ends the crawl in order, and the same call goes
    on where it stopped. `await asyncio.to_thread(ragcrawler.crawl, ...)` does not block a loop.

    Args:
        domains: what `-a domains=` takes: hosts, `host:port` or URLs.
        spider: "seeds", "files", "discover" and so on.
        settings: settings by their names; they win over `.env`, the environment and the project's.
        log: is written what the command writes to standard error; `sys.stderr` say.
        arguments: of the spider, as with `-a`: `max_pages=50`.

    Raises:
        RagcrawlerError: it could not begin, or its process died.
    """
    given = {name: _text(value) for name, value in {"domains": domains, **arguments}.items() if value != ()}
    ended = run_child(CrawlOrder(spider, given, dict(settings or {})), log)
    report = _report(Path(ended.run_folder)) if ended.run_folder else {}
    if ended.exit_code == _COULD_NOT_BEGIN or not report:
        raise RagcrawlerError(report.get("refusal") or _reason(ended))
    return _summary(ended, report)


def _text(value: object) -> str:
    """An argument of a spider, as one types it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(str(each) for each in value)
    return str(value)


def _reason(ended: Ended) -> str:
    errors = [line.removeprefix(_ERROR) for line in ended.last_lines if line.startswith(_ERROR)]
    if errors:
        return errors[-1]
    said = "\n".join(ended.last_lines)
    return f"the crawl's process ended with {ended.exit_code} and no report" + (f":\n{said}" if said else "")


def _report(folder: Path) -> dict[str, Any]:
    try:
        report: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RagcrawlerError(f"the report in {folder} cannot be read: {error}") from error
    return report


def _summary(ended: Ended, report: Mapping[str, Any]) -> CrawlSummary:
    pages, documents, chunks = report["pages"], report["documents"], report["chunks"]
    warnings = tuple(line.removeprefix(_WARNING) for line in ended.warnings)
    return CrawlSummary(
        exit_code=ended.exit_code,
        end=report["end"],
        fetched=pages["fetched"],
        skipped=pages["skipped"],
        failed=pages["failed"],
        new=documents["new"],
        changed=documents["changed"],
        unchanged=documents["unchanged"],
        removed=documents["removed"],
        chunks=chunks["made"],
        embedded=chunks["embedded"],
        collection_points=report["collection_points"],
        run_folder=Path(ended.run_folder),
        warnings=warnings,
        report=report,
    )
