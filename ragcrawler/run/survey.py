"""What a crawl can say of documents that it did not store: gone, out of sight, or nothing."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from ragcrawler.catalogue import DocumentRecord
from ragcrawler.run.losses import UNCHANGED
from ragcrawler.urls.ledger import Fate, LedgerCounts

UNLINKED = "unlinked"
# The page is not there any more, must not be there, says nothing, or another URL stands for it.
GONE = frozenset(
    [
        "http_404",
        "http_410",
        "noindex",
        "empty",
        "unsupported_type",
        "redirected",
        "canonical",
        "duplicate_content",
        "near_duplicate",
    ]
)
# Pages left out for one of these hide no link that an earlier crawl with the same arguments has followed.
# Whatever else pages were left out for (a bound on pages, a site given up, ...) may hide some.
_HIDES_NOTHING = GONE | {
    *("bad_host", "bad_port", "excluded", "junk", "listing", "media", "no_https", "nofollow", "not_a_url"),
    *("other_language", "other_version", "text_twin"),
    *(
        "not_http",
        "not_included",
        "offsite",
        "private_address",
        "redirect_loop",
        "robots",
        "too_long",
        "unsafe_url",
    ),
    UNCHANGED,
}


@dataclass(frozen=True, slots=True)
class Survey:
    """A crawl that came to its end.

    Attributes:
        contains: whether a canonical URL belongs to its domains.
        fate: what became of a URL, None where it was not seen.
        is_full: whether it followed all there was to follow.
        blind_sites: where a page could not be fetched: what it links to may have gone unseen.
    """

    contains: Callable[[str], bool]
    fate: Callable[[str], tuple[Fate, str] | None]
    is_full: bool
    blind_sites: Collection[str] = frozenset()


@dataclass(slots=True)
class SiteFindings:
    """The documents of a site that are not where they were.

    Attributes:
        gone: document id to reason.
        unseen: ids of documents that no page led to.
        present: how many are there.
    """

    gone: dict[str, str] = field(default_factory=dict)
    unseen: list[str] = field(default_factory=list)
    present: int = 0


def ended_full(counts: LedgerCounts, *, ran_dry: bool, links_cut: int) -> bool:
    """Whether a crawl followed all there was to follow: it came to its end, and no bound stopped it."""
    return ran_dry and not links_cut and counts.skipped.keys() <= _HIDES_NOTHING


def site_findings(records: Iterable[DocumentRecord], survey: Survey) -> SiteFindings:
    """Sort the documents of one site by what became of their URLs."""
    found = SiteFindings()
    for record in records:
        if not survey.contains(record.url):
            continue
        fate = survey.fate(record.url)
        if fate is None:
            found.unseen.append(record.document_id)
        elif fate[0] == "fetched" or fate[1] == UNCHANGED:
            found.present += 1
        elif fate[0] == "skipped" and fate[1] in GONE:
            found.gone[record.document_id] = fate[1]
    return found


def missing_documents(site: str, found: SiteFindings, survey: Survey) -> dict[str, str]:
    """Document id to reason, of what this crawl found gone; a site of which nothing was seen is not judged.

    What no page led to counts only after a crawl that saw every page.
    """
    if found.unseen and found.present and survey.is_full and site not in survey.blind_sites:
        return found.gone | dict.fromkeys(found.unseen, UNLINKED)
    return found.gone
