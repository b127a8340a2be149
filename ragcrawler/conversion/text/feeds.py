"""RSS and Atom: the feed's title, and each entry as a link with its date and summary."""

from lxml import etree, html

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import absolute_links
from ragcrawler.conversion.text_cleaning import strip_invisible
from ragcrawler.items import Metadata

_ENTRIES = ("item", "entry")
_SUMMARIES = ("summary", "description", "content", "encoded")
_DATES = ("published", "pubdate", "updated", "date")
_MAX_SUMMARY_CHARACTERS = 500


def convert_feed(text: str, url: str, _limits: ConversionLimits) -> Converted:
    """One list item an entry.

    Raises:
        ConversionError: `damaged` where it is no XML, `empty` where it has no entries.
    """
    # No entities, no network, no size tricks: a feed needs none of them.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    root = etree.fromstring(text.encode("utf-8", "replace"), parser=parser) if text else None
    if root is None:
        raise ConversionError("damaged", "the feed is no XML", url=url)
    entries = [element for element in root.iter() if _name(element) in _ENTRIES]
    if not entries:
        raise ConversionError("empty", "the feed has no entries", url=url)
    channel = next((element for element in root.iter() if _name(element) in ("channel", "feed")), root)
    title = _text(channel, ("title",))
    lines = [f"# {title}\n"] if title else []
    lines.extend(_entry(entry, url) for entry in entries)
    markdown, hidden_characters = strip_invisible("\n".join(lines) + "\n")
    metadata = Metadata(
        description=_text(channel, ("description", "subtitle")),
        media_type="application/atom+xml" if _name(root) == "feed" else "application/rss+xml",
        converter="feed",
        hidden_characters=hidden_characters,
    )
    return Converted(title, markdown, metadata, links=absolute_links(map(_link, entries), url))


def _entry(entry: etree._Element, url: str) -> str:
    title = _text(entry, ("title",)) or "Untitled"
    target = next(iter(absolute_links([_link(entry)], url)), "")
    line = f"- [{title}]({target})" if target else f"- {title}"
    details = [_text(entry, _DATES), _text(entry, _SUMMARIES)[:_MAX_SUMMARY_CHARACTERS]]
    return " \u2013 ".join(filter(None, [line, *details]))


def _link(entry: etree._Element) -> str:
    """The entry's page: an Atom link that is an alternate, an RSS link, or a guid that is an address."""
    for element in entry:
        if _name(element) == "link" and element.get("rel", "alternate") == "alternate":
            return (element.get("href") or element.text or "").strip()
    guid = next((element for element in entry if _name(element) == "guid"), None)
    return (guid.text or "").strip() if guid is not None and guid.get("isPermaLink", "true") == "true" else ""


def _text(parent: etree._Element, names: tuple[str, ...]) -> str:
    """The first child of one of these names as plain text; markup in it is taken out."""
    for name in names:
        for element in parent:
            if _name(element) == name:
                text = "".join(map(str, element.itertext())).strip()
                if "<" in text:
                    text = str(html.fragment_fromstring(text, create_parent="div").text_content())
                return " ".join(text.split())
    return ""


def _name(element: etree._Element) -> str:
    """The local name, lower case; "" for comments and instructions."""
    return etree.QName(element).localname.lower() if isinstance(element.tag, str) else ""
