"""The environment and `.env`, which `settings.py` alone asks for values."""

import os
from collections.abc import Mapping
from pathlib import Path

from dotenv import dotenv_values
from scrapy.utils.conf import closest_scrapy_cfg


def project_root() -> Path:
    """The folder that `.env` and `output/` belong to, from whichever folder of the project one calls."""
    given, scrapy_cfg = os.environ.get("RAGCRAWLER_ROOT"), closest_scrapy_cfg()
    return Path(given or (Path(scrapy_cfg).parent if scrapy_cfg else "")).absolute()


_root = project_root()
_dotenv = dotenv_values(_root / ".env")
_environment: Mapping[str, str | None] = {**_dotenv, **os.environ}
_read_names: set[str] = set()


def environment_value(name: str, default: str = "") -> str:
    """The value in the environment or `.env`; an empty value counts as not given."""
    _read_names.add(name)
    return _environment.get(name) or default


def environment_path(name: str, default: str = "") -> str:
    """A path that the environment or `.env` gives; a relative one begins at the project's root."""
    path = environment_value(name, default)
    return path if not path or _root == Path.cwd() else str(_root / path)


def environment_names() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The names that the settings have read, those that `.env` gives, and those in either."""
    return frozenset(_read_names), frozenset(_dotenv), frozenset(_environment)


def is_under_scrapyd() -> bool:
    """Whether scrapyd started this process: it names the project of the job."""
    return "SCRAPY_PROJECT" in os.environ
