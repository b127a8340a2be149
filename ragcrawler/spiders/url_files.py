"""Lists of URLs in files: one a line, or the feed of a search as CSV or JSON Lines."""

import csv
import json
from pathlib import Path

_COLUMN = "url"


def read_urls(path: Path) -> list[str]:
    """The URLs of a file, in their order.

    Of `.csv`, and of `.jsonl` and `.jl`, those that `url` holds; of any other file its lines, without
    comments (`#`).

    Raises:
        OSError: it cannot be read.
        ValueError: it is not of its form, or has no `url`.
    """
    text = path.read_text(encoding="utf-8-sig")
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return _of_csv(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if suffix in (".jsonl", ".jl"):
        return [_of_json(line) for line in lines]
    return [line for line in lines if not line.startswith("#")]


def _of_csv(text: str) -> list[str]:
    rows = csv.DictReader(text.splitlines(keepends=True))
    if _COLUMN not in (rows.fieldnames or ()):
        raise ValueError(f"its first line names no column `{_COLUMN}`")
    return [row[_COLUMN].strip() for row in rows if row[_COLUMN] and row[_COLUMN].strip()]


def _of_json(line: str) -> str:
    value = json.loads(line)
    url = value.get(_COLUMN) if isinstance(value, dict) else None
    if not isinstance(url, str):
        raise ValueError(f"a line is no object with `{_COLUMN}`")  # noqa: TRY004 - of the file, not of a caller
    return url
