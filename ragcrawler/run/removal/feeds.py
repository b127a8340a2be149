"""What was taken out, taken out of the feeds of earlier runs too."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from ragcrawler.catalogue.exports.atomic_file import atomic_file
from ragcrawler.frontier.filters.kept_out import KeptOut
from ragcrawler.run.removal.place import LeftError, Premises, Taking
from ragcrawler.run.reporting.folder import RunFolder

# Those that hold texts: documents, and what search engines said of pages.
_FEEDS = ("documents.jsonl", "found.jsonl")
_ADDRESS = re.compile(rb'"url": ?"([^"\\]+)"')
_PROCESS = re.compile(r"-(\d+)(?:-\d+)?\Z")


def take_lines(premises: Premises, taking: Taking) -> Mapping[str, int]:
    """By file, how many lines are about pages that are covered.

    Raises:
        LeftError: a run goes on, and writes its feed.
        OSError: a file cannot be read or written.
    """
    output = premises.configuration.output_folder
    counts: dict[str, int] = {}
    left = []
    for path in sorted(each for name in _FEEDS for each in output.glob(f"runs/*/{name}")):
        if count := sum(is_covered for _, is_covered in _lines(path, taking.covered)):
            if not taking.is_dry and _goes_on(path.parent):
                left.append(str(path))
                continue
            counts[f"lines of {path.relative_to(output)}"] = count
            if not taking.is_dry:
                _rewrite(path, taking.covered)
    if left:
        raise LeftError(f"lines of {', '.join(left)}: the run goes on", counts)
    return counts


def _rewrite(path: Path, covered: KeptOut) -> None:
    with atomic_file(path) as out:
        out.writelines(line for line, is_covered in _lines(path, covered) if not is_covered)


def _lines(path: Path, covered: KeptOut) -> Iterator[tuple[bytes, bool]]:
    """Each line, and whether it is about a page that is covered."""
    needles = _needles(covered)
    with path.open("rb") as file:
        for line in file:
            # Feeds are long: few lines have to be read as JSON.
            yield line, any(needle in line for needle in needles) and _is_covered(line, covered)


def _needles(covered: KeptOut) -> list[bytes]:
    """What such a line holds: the host of a page or a site without `www.`, a path, or the hash of a text."""
    words = set()
    for entry in covered.entries:
        is_site = entry.kind == "site"
        host = urlsplit(f"//{entry.pattern.removeprefix('*.')}" if is_site else entry.pattern).hostname
        words |= {(host or entry.pattern).removeprefix("www."), entry.text_hash}
    written = (form for word in words - {""} for form in (word, json.dumps(word)[1:-1]))
    return sorted({form.encode("utf-8", "surrogatepass") for form in written})


def _is_covered(line: bytes, covered: KeptOut) -> bool:
    try:
        values = json.loads(line)
    except ValueError:  # a break has cut it
        match = _ADDRESS.search(line)
        values = {"url": match[1].decode("utf-8", "replace") if match else ""}
    if not isinstance(values, dict) or values.get("state") == "removed":
        return False
    url, text = str(values.get("url", "")), str(values.get("content_hash", ""))
    return covered.covers(url) or covered.covers_text(text)


def _goes_on(folder: Path) -> bool:
    """Whether a process of this machine still writes a run."""
    match = _PROCESS.search(folder.name)
    if match is None or RunFolder(folder).report_json.exists():
        return False
    try:
        os.kill(int(match[1]), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
