"""The `-a` arguments of the seeds spider, as they are explained to users."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ragcrawler.urls.credentials import mask_credentials

_SHOWN_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument.

    Attributes:
        name: as it stands before the sign of equality.
        value: an example.
        meaning: one sentence without a full stop.
    """

    name: str
    value: str
    meaning: str


class ArgumentOwner(Protocol):
    """A spider's class.

    Attributes:
        name: of the spider.
        argument_table: all arguments that it takes.
    """

    name: str
    argument_table: tuple[Argument, ...]


def shown_arguments(table: Sequence[Argument], values: Mapping[str, str]) -> dict[str, str]:
    """The arguments that a spider was given, as reports show them: without passwords, and cut."""
    given = {each.name: str(values[each.name]) for each in table if values.get(each.name)}
    return {name: mask_credentials(value)[:_SHOWN_CHARACTERS] for name, value in given.items()}


ARGUMENTS = (
    Argument(
        "domains",
        "a.org,b.org:8080,https://c.org/docs/",
        "hosts, host:port or URLs: a.org includes www.a.org, *.a.org all subdomains, a path narrows",
    ),
    Argument(
        "urls",
        "https://a.org/x,https://a.org/y",
        "start URLs, or @FILE: one a line, or the `url` of a CSV or JSON Lines feed",
    ),
    Argument("max_pages", "500", "pages kept at the most; 0: any number (the default)"),
    Argument("max_depth", "3", "links followed from a start URL at the most; no bound by default"),
    Argument(
        "include",
        "/docs/",
        "only URLs in which one of these regular expressions is found; several with spaces",
    ),
    Argument("exclude", "/(old|draft)/", "no URLs in which one of these regular expressions is found"),
    Argument("languages", "en,de", "only pages in these languages, and those of no named language"),
    Argument("versions", "latest", "only these versions of a site, and pages of no version"),
    Argument("revisit", "due", "of the stored pages only those that are due; all: every page (the default)"),
    Argument("retry_failed", "last", "fetch what a run lost: its folder's name, or last"),
    Argument("dry_run", "1", "say what would change in the collection, and write nothing (--dry-run)"),
    Argument("force_delete", "1", "delete what is gone, even if it is more than DELETE_BRAKE allows"),
)
