"""The `-a` arguments of the files spider."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.spiders.argument_table import Argument
from ragcrawler.spiders.arguments import ArgumentError, read_flag, refuse_unknown
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError

FILES_ARGUMENTS = (
    Argument("path", "docs/", "the folder whose files are read"),
    Argument(
        "include", "^guide/", "only files in whose path one of these regular expressions is found; by spaces"
    ),
    Argument("exclude", "(^|/)drafts/", "no files in whose path one of these regular expressions is found"),
    Argument(
        "as_text", "tex,log", "files with these endings are plain text; `none` for those that have no ending"
    ),
    Argument("base_url", "https://a.org/docs/", "files are cited by links: this, and their path behind it"),
    Argument("dry_run", "1", "say what would change in the collection, and write nothing (--dry-run)"),
    Argument("force_delete", "1", "delete what is gone, even if it is more than DELETE_BRAKE allows"),
)


@dataclass(frozen=True, slots=True)
class FilesArguments:
    """The arguments of a crawl of files, parsed.

    Attributes:
        root: the folder.
        rules: of the paths to include and exclude.
        as_text: endings, without dot and in lower case, of files that are read as plain text.
        base_url: that links begin with, with a slash at its end; "" where paths are the addresses.
        is_dry: whether nothing is written, and the report says what would be.
        is_forced: whether more documents may be deleted than the brake allows.
    """

    root: Path
    rules: UrlRules
    as_text: frozenset[str] = frozenset()
    base_url: str = ""
    is_dry: bool = False
    is_forced: bool = False

    @classmethod
    def parse(cls, arguments: Mapping[str, str]) -> "FilesArguments":
        """Read the arguments.

        Raises:
            ArgumentError: a name is unknown, or a value is invalid.
            PatternError: a pattern is no regular expression.
        """
        refuse_unknown(arguments, [argument.name for argument in FILES_ARGUMENTS], "files")
        path = arguments.get("path", "")
        if not path or not Path(path).is_dir():
            raise ArgumentError(f"-a path={path} should be a folder of documents, docs/ for example")
        return cls(
            root=Path(path),
            rules=UrlRules.parse(arguments.get("include", ""), arguments.get("exclude", "")),
            as_text=_endings(arguments.get("as_text", "")),
            base_url=_base_url(arguments.get("base_url", "")),
            is_dry=read_flag("dry_run", arguments.get("dry_run", "")),
            is_forced=read_flag("force_delete", arguments.get("force_delete", "")),
        )

    @property
    def options(self) -> CrawlOptions:
        """The options of the crawl: documents that are gone from this folder may be deleted."""
        parts = (str(self.root.resolve()), self.rules, self.base_url)
        return CrawlOptions(
            contains=self._contains,
            crawl=f"{hashlib.sha256(repr(parts).encode('utf-8', 'surrogateescape')).hexdigest()} files",
            is_dry=self.is_dry,
            is_forced=self.is_forced,
        )

    def _contains(self, url: str) -> bool:
        return url.startswith(self.base_url) if self.base_url else "://" not in url


def _endings(value: str) -> frozenset[str]:
    endings = [each.strip().removeprefix(".").lower() for each in value.split(",") if each.strip()]
    for ending in endings:
        if not ending or set(ending) & set("./ "):
            raise ArgumentError(f"-a as_text={value} should have endings of file names: tex,log")
    return frozenset(endings)


def _base_url(value: str) -> str:
    if not value:
        return ""
    try:
        url = canonical_url(value)
    except UrlError as error:
        raise ArgumentError(f"-a base_url={value}: {error}") from error
    if "?" in url:
        raise ArgumentError(f"-a base_url={value} should have no query: paths are put behind it")
    return url if url.endswith("/") else f"{url}/"
