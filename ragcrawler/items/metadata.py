"""The metadata of a document, and the anchors in it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in a document that a URL fragment can name.

    Attributes:
        line: 0-based line of the Markdown on which the place stands.
        id: the fragment, without `#`, not percent-encoded.
    """

    line: int
    id: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a document; "" where it has none.

    Attributes:
        description: its own summary.
        language: BCP 47 tag.
        author: names, joined by "; ".
        published: ISO 8601 date.
        modified: ISO 8601 date.
        canonical_url: the address the document claims for itself, absolute.
        site_name: the name of the site it belongs to.
        media_type: the type it was converted as, after sniffing.
        converter: the path that converted it, "html-projection" or "pdf-text-layer", say.
        pages: pages of a paged document, else 0.
        hidden_characters: characters dropped because a reader cannot see them.
        duplicate_words: words of parts that an HTML page has twice for its layout: of the dropped copies.
        suspicious: passages that read like instructions to a model; kept in the text, flagged here.
        warnings: what was lost or guessed on the way, one sentence each.
        kind: of an HTML page: "article", "documentation", "forum", "product", "collection", "listing" or
            "service"; "" where that is not clear, and for other types.
        quality: of an HTML page, 0 to 1: how likely its main content was found; None for other types.
        cut: what was over 1,000 characters: "title", "heading", "link_text", "metadata", "anchor" or
            "address"; each once.
    """

    description: str = ""
    language: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    canonical_url: str = ""
    site_name: str = ""
    media_type: str = ""
    converter: str = ""
    pages: int = 0
    hidden_characters: int = 0
    suspicious: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    kind: str = ""
    quality: float | None = None
    duplicate_words: int = 0
