"""The `-a` arguments of the seeds spider, checked before anything is fetched."""

import csv
import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.frontier.filters.variants import VariantRules
from ragcrawler.frontier.scope import Scope
from ragcrawler.urls.canonical import canonical_url
from ragcrawler.urls.errors import UrlError

NAMES = (
    *("domains", "urls", "max_pages", "max_depth", "include", "exclude", "languages", "versions"),
    *("revisit", "retry_failed", "dry_run", "force_delete"),
)
_FLAGS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


class ArgumentError(ValueError):
    """An argument of a spider is invalid; says which, its value, and what would be right."""


@dataclass(frozen=True, slots=True)
class SeedsArguments:
    """The arguments of a crawl, parsed.

    Attributes:
        scope: the whitelist: the given domains, or else the hosts of the given URLs.
        start_urls: canonical, without duplicates; the given URLs after the starts of the domains.
        rules: what to include and exclude.
        variants: which languages and versions of a site.
        max_pages: pages kept at the most, 0 for no bound.
        max_depth: links followed from a start URL at the most, None for no bound.
        is_retry: whether only what an earlier run lost is fetched.
        is_dry: whether nothing is written, and the report says what would be.
        is_forced: whether more documents may be deleted than the brake allows.
        asks_for_due: whether stored pages that are not due are left alone.
    """

    scope: Scope
    start_urls: tuple[str, ...]
    rules: UrlRules
    max_pages: int = 0
    max_depth: int | None = None
    variants: VariantRules = field(default_factory=VariantRules)
    is_retry: bool = False
    is_dry: bool = False
    is_forced: bool = False
    asks_for_due: bool = False

    @classmethod
    def parse(
        cls,
        arguments: Mapping[str, str],
        failed: Collection[str] = (),
        *,
        names: Collection[str] = NAMES,
        spider: str = "seeds",
    ) -> "SeedsArguments":
        """Read the arguments; names that begin with `_` belong to scrapyd and are left alone.

        Args:
            arguments: by name.
            failed: the URLs that `retry_failed` stands for: these alone are fetched, no link is followed.
            names: that the spider takes; those that are not read here are its own.
            spider: its name.

        Raises:
            ArgumentError: a name or a choice is unknown, or a number is none.
            ScopeError: the domains name nothing to crawl.
            PatternError: a pattern is no regular expression.
            VariantError: a language is none.
        """
        refuse_unknown(arguments, names, spider)
        flags = {name: read_flag(name, arguments.get(name, "")) for name in ("dry_run", "force_delete")}
        if arguments.get("retry_failed"):
            rules = UrlRules.parse()
            is_dry = flags["dry_run"]
            return cls(_scope_of(failed), tuple(failed), rules, max_depth=0, is_retry=True, is_dry=is_dry)
        urls = _urls(arguments.get("urls", ""))
        domains = arguments.get("domains", "")
        scope = Scope.parse(domains) if domains or not urls else _scope_of(urls)
        return cls(
            scope=scope,
            start_urls=tuple(dict.fromkeys((*(scope.start_urls if domains else ()), *urls))),
            rules=UrlRules.parse(arguments.get("include", ""), arguments.get("exclude", "")),
            variants=VariantRules.parse(arguments.get("languages", ""), arguments.get("versions", "")),
            max_pages=read_number("max_pages", arguments.get("max_pages", "0"), minimum=0),
            max_depth=_depth(arguments.get("max_depth", "")),
            is_dry=flags["dry_run"],
            is_forced=flags["force_delete"],
            asks_for_due=_asks_for_due(arguments.get("revisit", "")),
        )

    def contains(self, url: str) -> bool:
        """Whether a canonical URL belongs to what is crawled: what a rule leaves out is not judged."""
        return self.scope.contains(url) and not self.rules.refusal(Candidate(url))

    @property
    def starts_at_domains(self) -> bool:
        """Whether the crawl begins where its domains do: one of some URLs may see only a part of a site."""
        return not self.is_retry and set(self.scope.start_urls) <= set(self.start_urls)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what decides which pages are found, hexadecimal; a retry differs from every crawl."""
        parts = (self.scope.sites, sorted(self.start_urls), self.rules, self.variants, self.is_retry)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def refuse_unknown(arguments: Mapping[str, str], names: Collection[str], spider: str) -> None:
    """Refuse arguments that a spider does not have; names that begin with `_` belong to scrapyd.

    Raises:
        ArgumentError: with the names that it has.
    """
    unknown = [name for name in arguments if name not in names and not name.startswith("_")]
    if unknown:
        raise ArgumentError(
            f"-a {unknown[0]}=... is unknown; the arguments are {', '.join(names)}: "
            f"`scrapy arguments {spider}` explains them"
        )


def _urls(value: str) -> list[str]:
    """The URLs of a list with commas, or of the lines of a file (`@seeds.txt`, `@found.csv`)."""
    if value.startswith("@"):
        try:
            entries = read_urls(Path(value[1:]))
        except (OSError, ValueError) as error:
            raise ArgumentError(f"-a urls={value}: the file cannot be read: {error}") from error
    else:
        entries = [entry.strip() for entry in value.split(",") if entry.strip()]
    try:
        return [canonical_url(entry) for entry in entries]
    except UrlError as error:
        raise ArgumentError(f"-a urls: {error}; give addresses like https://example.org/page") from error


def _scope_of(urls: Collection[str]) -> Scope:
    return Scope.parse([_origin(url) for url in urls]) if urls else Scope(())


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"


def read_number(name: str, value: str, *, minimum: int) -> int:
    """A whole number.

    Raises:
        ArgumentError: it is none, or less than the minimum.
    """
    try:
        number = int(value)
    except ValueError:
        number = minimum - 1
    if number < minimum:
        raise ArgumentError(f"-a {name}={value} should be a whole number of at least {minimum}")
    return number


def _asks_for_due(value: str) -> bool:
    if value not in {"", "all", "due"}:
        raise ArgumentError(f"-a revisit={value} should be all or due")
    return value == "due"


def read_flag(name: str, value: str) -> bool:
    """Whether a switch is on; off where it is not given.

    Raises:
        ArgumentError: it is neither on nor off.
    """
    if value.lower() not in _FLAGS:
        raise ArgumentError(f"-a {name}={value} should be 1 or 0")
    return _FLAGS[value.lower()]


def _depth(value: str) -> int | None:
    return read_number("max_depth", value, minimum=0) if value else None


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
