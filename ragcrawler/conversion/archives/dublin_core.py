"""Dublin Core metadata, as OOXML, OpenDocument and EPUB files have it."""

from dataclasses import dataclass

_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"


@dataclass(frozen=True, slots=True)
class DublinCore:
    """The elements that a reader asks for; "" where there is none. Dates are ISO 8601, cut to the day."""

    title: str = ""
    author: str = ""
    description: str = ""
    language: str = ""
    published: str = ""
    modified: str = ""


def read_dublin_core(xml: bytes) -> DublinCore:
    """Read `docProps/core.xml`, `meta.xml` or a package document; a damaged one says nothing."""
    from lxml import etree

    if not xml.strip():
        return DublinCore()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(xml, parser)
    if root is None:
        return DublinCore()
    return DublinCore(
        title=_first(root, f"{_DC}title"),
        author="; ".join(_all(root, f"{_DC}creator") or _all(root, f"{_META}initial-creator")),
        description=_first(root, f"{_DC}description"),
        language=_first(root, f"{_DC}language"),
        published=_first(root, f"{_TERMS}created", f"{_META}creation-date", f"{_DC}date")[:10],
        modified=_first(root, f"{_TERMS}modified", f"{_DC}date")[:10],
    )


def _all(root: object, name: str) -> list[str]:
    texts = ("".join(element.itertext()) for element in root.iter(name))  # type: ignore[attr-defined]
    return [" ".join(text.split()) for text in texts if text.strip()]


def _first(root: object, *names: str) -> str:
    return next((text for name in names for text in _all(root, name)), "")
