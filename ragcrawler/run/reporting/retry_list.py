"""Read the list of URLs that an earlier run lost."""

import json
from collections.abc import Mapping
from pathlib import Path

from ragcrawler.run.reporting.folder import RunNotFoundError, find_run

# What is lost elsewhere is no page: it is named by the collection.
_PAGE_STAGES = {"fetch", "parse", "convert", "chunk", "embed", "upsert", "pipeline"}


class RetryError(ValueError):
    """There is no such run, or its list cannot be read; says what would be right."""


def failed_urls(output: Path, run: str) -> Mapping[str, int]:
    """The URLs that a run lost, each with how often it was tried by then; empty where it lost none.

    Args:
        output: the folder of all files.
        run: name of the run's folder, or "last" for the newest that is there.

    Raises:
        RetryError: there is no such run, or its list cannot be read.
    """
    try:
        folder = find_run(output, run)
    except RunNotFoundError as error:
        raise RetryError(f"-a retry_failed={run}: {error}") from error
    if not folder.failures.exists():
        return {}
    attempts: dict[str, int] = {}
    try:
        for line in _whole_lines(folder.failures.read_text(encoding="utf-8")):
            failure = json.loads(line)
            if failure["stage"] in _PAGE_STAGES:
                attempts[failure["url"]] = max(
                    int(failure.get("attempts", 1)), attempts.get(failure["url"], 0)
                )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RetryError(
            f"-a retry_failed={run}: {folder.failures} cannot be read ({error!r}): name another run"
        ) from error
    return attempts


def _whole_lines(text: str) -> list[str]:
    """The lines; a power cut may leave the last one cut, or zeros in its place."""
    lines = text.rstrip("\0").splitlines(keepends=True)
    return lines if not lines or lines[-1].endswith("\n") else lines[:-1]
