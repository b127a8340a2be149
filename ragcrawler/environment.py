"""The environment and `.env`, which `settings.py` alone asks for values, and where tuned weights go."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dotenv import dotenv_values, set_key
from scrapy.utils.conf import closest_scrapy_cfg


def project_root() -> Path:
    """The folder that `.env` and `output/` belong to, from whichever folder of the project one calls."""
    given, scrapy_cfg = os.environ.get("RAGCRAWLER_ROOT"), closest_scrapy_cfg()
    return Path(given or (Path(scrapy_cfg).parent if scrapy_cfg else "")).absolute()


_root = project_root()
_dotenv = dotenv_values(_root / ".env")
# An empty value of the environment counts as not given: it must not hide what `.env` says.
_environment: Mapping[str, str | None] = {
    **_dotenv,
    **{name: each for name, each in os.environ.items() if each},
}
_read_names: set[str] = set()


def environment_value(name: str, default: str = "") -> str:
    """The value in the environment or `.env`; an empty value counts as not given."""
    _read_names.add(name)
    return _environment.get(name) or default


def environment_path(name: str, default: str = "") -> str:
    """A path that the environment or `.env` gives; a relative one begins at the project's root."""
    path = environment_value(name, default)
    return path if not path or _root == Path.cwd() else str(_root / path)


class WrittenValue(NamedTuple):
    """A value that was written into `.env`.

    Attributes:
        path: the file.
        before: the value that it had; "" where it had none.
        is_overruled: the environment of this process gives another, which wins.
    """

    path: Path
    before: str
    is_overruled: bool


def write_dotenv(name: str, value: str) -> WrittenValue:
    """Set a value in `.env`, for the processes that start later.

    Args:
        name: the setting's.
        value: without quotes and line breaks.

    Raises:
        OSError: the file cannot be written.
    """
    path = (_root / ".env").resolve()
    before = dotenv_values(path).get(name) or ""
    set_key(path, name, value, quote_mode="never")
    return WrittenValue(path, before, is_overruled=bool(os.environ.get(name)))


def environment_names() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The names that the settings have read, those that `.env` gives, and those in either."""
    return frozenset(_read_names), frozenset(_dotenv), frozenset(_environment)


def is_under_scrapyd() -> bool:
    """Whether scrapyd started this process: it names the project of the job."""
    return "SCRAPY_PROJECT" in os.environ
