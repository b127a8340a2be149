"""Which stored documents a crawl found gone, or no longer linked."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from ragcrawler.catalogue import DocumentRecord
from ragcrawler.catalogue.record import UNLINKED
from ragcrawler.frontier.states.protocol import Status, UrlCounts
from ragcrawler.run.outcomes import UNCHANGED

# The page is not there any more, must not be there, says nothing, or another URL stands for it.
GONE = frozenset(
    [
        "http_404",
        "http_410",
        "soft_404",
        "noindex",
        "empty",
        "unsupported_type",
        "redirected",
        "canonical",
        "text_twin",
        "duplicate_content",
        "same_text",
        "near_duplicate",
    ]
)
# Pages left out for one of these hide no link that an earlier crawl with the same arguments has followed.
# Whatever else pages were left out for (a bound on pages, a site given up, ...) may hide some.
_HIDES_NOTHING = GONE.union(
    [
        "bad_host",
        "bad_port",
        "not_a_url",
        "not_http",
        "too_long",
        "unsafe_url",
        "offsite",
        "private_address",
        "redirect_loop",
        "no_https",
        "excluded",
        "kept_out",
        "not_included",
        "other_language",
        "other_version",
        "junk",
        "media",
        "listing",
        "nofollow",
        "robots",
        "unchanged",
        "trap_depth",
        "trap_length",
        "trap_parameters",
        "trap_repetition",
        "hidden",
        "symlink",
        "not_a_file",
        "navigation",
    ]
)


@dataclass(frozen=True, slots=True)
class CrawlCoverage:
    """A crawl that came to its end.

    Attributes:
        contains: whether a canonical URL belongs to its domains.
        status: what became of a URL, None where it was not seen.
        is_full: whether it followed all there was to follow.
        crawl: fingerprint of its arguments: only what crawls with the same ones led to can be out of sight.
        incomplete_sites: where a page could not be fetched: what it links to may have gone unseen.
        starts_at_domains: whether it may judge documents of which it is not known how they were found.
        kept_out_since: sorts before the ids of runs that knew all that is kept out now; "" for all runs. To
            what none of them has seen, a page that is kept out may be the only one that leads.
    """

    contains: Callable[[str], bool]
    status: Callable[[str], tuple[Status, str] | None]
    is_full: bool
    crawl: str = ""
    incomplete_sites: Collection[str] = frozenset()
    starts_at_domains: bool = False
    kept_out_since: str = ""


@dataclass(slots=True)
class SiteFindings:
    """The documents of a site that are not where they were.

    Attributes:
        gone: document id to reason.
        unseen: ids of documents that no page led to.
        present: ids of documents that are there.
    """

    gone: dict[str, str] = field(default_factory=dict)
    unseen: list[str] = field(default_factory=list)
    present: list[str] = field(default_factory=list)


def was_exhaustive(counts: UrlCounts, *, ran_dry: bool, links_cut: int) -> bool:
    """Whether a crawl followed all there was to follow: it came to its end, and no bound stopped it."""
    return ran_dry and not links_cut and counts.skipped.keys() <= _HIDES_NOTHING


def site_findings(records: Iterable[DocumentRecord], coverage: CrawlCoverage) -> SiteFindings:
    """Sort the documents of one site by what became of their URLs."""
    found = SiteFindings()
    for record in records:
        if not coverage.contains(record.url):
            continue
        fate = coverage.status(record.url)
        if fate is None:
            if record.last_seen >= coverage.kept_out_since:
                found.unseen.append(record.document_id)
        elif fate[0] == "fetched" or fate[1] == UNCHANGED:
            found.present.append(record.document_id)
        elif fate[0] == "skipped" and fate[1] in GONE:
            found.gone[record.document_id] = fate[1]
    return found


def missing_documents(
    site: str, found: SiteFindings, coverage: CrawlCoverage, was_reached: Callable[[str, str], bool]
) -> dict[str, str]:
    """Document id to reason, of what this crawl found gone; a site of which nothing was seen is not judged.

    What no page led to counts only after a crawl that saw every page, and only where such a crawl did lead
    there before: one of a part of the site says nothing about the rest.

    Args:
        site: of the documents.
        found: sorted by what became of them.
        coverage: of the crawl.
        was_reached: whether crawls with these arguments led to a document, as far as anybody knows.
    """
    if found.present and coverage.is_full and site not in coverage.incomplete_sites:
        unlinked = [each for each in found.unseen if was_reached(each, coverage.crawl)]
        return found.gone | dict.fromkeys(unlinked, UNLINKED)
    return found.gone
