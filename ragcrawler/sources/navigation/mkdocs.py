"""MkDocs: `nav` in `mkdocs.yml`."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from ragcrawler.sources.navigation.entry import MAX_LEVELS, NavigationEntry, NavigationError


class _Loader(yaml.SafeLoader):
    """Reads plain YAML; what a tag would make of a value is not needed here, and never run."""


_Loader.add_multi_constructor("!", lambda _loader, _suffix, _node: None)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda _loader, _suffix, _node: None)


@dataclass(frozen=True, slots=True)
class MkDocsFile:
    """The part of an `mkdocs.yml` that orders pages.

    Attributes:
        docs_dir: the folder of the pages, relative to the file's.
        nav: as it stands there; None where MkDocs orders by name.
    """

    docs_dir: str
    nav: Any

    @classmethod
    def parse(cls, text: str) -> "MkDocsFile":
        """Read a file.

        Raises:
            NavigationError: it is no YAML, or no mapping.
        """
        try:
            values = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader that drops unknown tags
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            raise NavigationError(" ".join(str(error).split())) from error
        if not isinstance(values, dict):
            raise NavigationError("it holds no key and value")
        docs_dir = values.get("docs_dir", "docs")
        return cls(docs_dir if isinstance(docs_dir, str) else "docs", values.get("nav"))

    def entries(self, folder: str) -> Iterator[NavigationEntry]:
        """The pages in the order of `nav`.

        Args:
            folder: the one of the pages, relative to the folder that is read; "" where it is that one.
        """
        return _entries(self.nav, "", folder, MAX_LEVELS)


def _entries(node: Any, title: str, folder: str, levels: int) -> Iterator[NavigationEntry]:
    if not levels:
        return
    if isinstance(node, str):
        if "://" not in node:
            yield NavigationEntry(posixpath.normpath(posixpath.join(folder, node)), title)
    elif isinstance(node, list):
        for item in node:
            yield from _entries(item, "", folder, levels - 1)
    elif isinstance(node, dict):
        for name, below in node.items():
            yield from _entries(below, str(name), folder, levels - 1)
