"""A response as it came from a site."""

from dataclasses import astuple, dataclass, field

from ragcrawler.items.chunk import KEPT_INSIDE


@dataclass(frozen=True, slots=True)
class PageFile:
    """The file of a page that was read from a folder.

    Attributes:
        path: relative to the folder, with slashes.
        chapter: the first folder on the path, "" for a file at the top.
        title: that the folder's navigation gives the page; goes before the page's own.
    """

    path: str
    chapter: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class PageClaims:
    """Facts that a source states of a page beside its text; they override those in the page itself.

    Attributes:
        title: "" where it says none.
        description: likewise.
        language: BCP 47 tag, likewise.
    """

    title: str = ""
    description: str = ""
    language: str = ""


def _left_out(_: object) -> None:
    """For Scrapy's exporters, which ask each field of an item."""


@dataclass(frozen=True, slots=True)
class Page:
    """A response worth keeping, as it came from the site.

    Attributes:
        id: the document id: a hash of the canonical final URL.
        url: the canonical URL that was asked for.
        final_url: the canonical URL that answered, after redirects; the document's identity.
        body: the undecoded bytes.
        content_type: the `Content-Type` header as sent, "" where there was none.
        status: the HTTP status.
        fetched_at: ISO 8601, UTC, whole seconds.
        depth: links followed from a start URL.
        parent_url: the page on which the link was found, "" for a start URL.
        etag: the validator of the same name, "" where the site sent none.
        last_modified: the header of the same name, "" where the site sent none.
        title: that whoever yields the page gives it; counts where the page itself names none.
        file: where it lies, for one that was read from a folder.
        claims: what its source says of it, for one of an export.
        had_browser: a browser ran its scripts, or was meant to and could not: it is not asked again.
        shared_blocks: hashes of Markdown blocks that its site's pages share: its chunks go without these.
    """

    id: str
    url: str
    final_url: str
    body: bytes = field(repr=False, metadata=KEPT_INSIDE | {"serializer": _left_out})
    content_type: str
    status: int
    fetched_at: str
    depth: int = 0
    parent_url: str = ""
    etag: str = ""
    last_modified: str = ""
    title: str = ""
    file: PageFile | None = None
    claims: PageClaims = PageClaims()
    had_browser: bool = False
    shared_blocks: frozenset[str] = field(
        default=frozenset(), repr=False, metadata=KEPT_INSIDE | {"serializer": _left_out}
    )

    @property
    def facts(self) -> tuple[str, ...]:
        """The inputs of the document beside bytes and media type; () for a page of the web."""
        file = astuple(self.file) if self.file is not None else ()
        return file if self.claims == PageClaims() else (*file, *astuple(self.claims))
