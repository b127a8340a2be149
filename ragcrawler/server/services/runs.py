"""The runs of crawls and their reports."""

import json
import re
from pathlib import Path

from ragcrawler.run.reporting.folder import RunFolder
from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.services.errors import NotFoundError, UnavailableError
from ragcrawler.server.services.results import RunReportResult, RunResult, RunsResult, clean

_MOST_RUNS = 200
_MOST_BYTES = 4 * 2**20
_NAME = re.compile(r"[\w.-]{1,200}")
_PAGE = "report.html"


def runs(collection: ServedCollection) -> RunsResult:
    """The latest runs that have a report."""
    folder = _folder(collection)
    names = sorted((each.parent.name for each in folder.glob("*/report.json")), reverse=True)
    return RunsResult(
        runs=[
            RunResult(name=name, has_page=(folder / name / _PAGE).is_file())
            for name in names[:_MOST_RUNS]
            if _NAME.fullmatch(name)
        ]
    )


def run_report(collection: ServedCollection, name: str) -> RunReportResult:
    """The report of a run.

    Raises:
        NotFoundError: there is none.
        UnavailableError: it cannot be read.
    """
    folder = RunFolder(_run_path(collection, name))
    try:
        report = json.loads(_text(folder.report_json))
    except ValueError as error:
        raise UnavailableError(f"The report of the run {name} is damaged.") from error
    markdown = _text(folder.report_markdown) if folder.report_markdown.is_file() else ""
    return RunReportResult(name=name, report=clean(report), markdown=clean(markdown))


def run_page(collection: ServedCollection, name: str) -> str:
    """The report of a run as a page of HTML.

    Raises:
        NotFoundError: there is none.
    """
    return _text(_run_path(collection, name) / _PAGE)


def _folder(collection: ServedCollection) -> Path:
    return collection.configuration.output_folder / "runs"


def _run_path(collection: ServedCollection, name: str) -> Path:
    if not _NAME.fullmatch(name) or name.strip(".") == "":
        raise NotFoundError(f"There is no run {name}.")
    return _folder(collection) / name


def _text(path: Path) -> str:
    """A file of a run.

    Raises:
        NotFoundError: it is not there.
        UnavailableError: it is larger than is shown.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise NotFoundError(f"The run {path.parent.name} has no {path.name}.") from error
    if len(content) > _MOST_BYTES:
        raise UnavailableError(f"{path.name} of the run {path.parent.name} is too large to be shown.")
    return content.decode("utf-8", "replace")
