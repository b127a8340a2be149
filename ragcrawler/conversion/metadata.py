"""What an HTML page says of itself: meta elements, Open Graph, JSON-LD."""

from lxml import html

from ragcrawler.items import Metadata


def read_metadata(root: html.HtmlElement, url: str) -> tuple[str, Metadata]:
    """Title and metadata of a page."""
    from trafilatura.metadata import examine_meta, extract_meta_json

    document = extract_meta_json(root, examine_meta(root))
    title = document.title or root.findtext(".//title") or ""
    return " ".join(title.split()), Metadata(
        description=document.description or "",
        language=root.get("lang", ""),
        author=document.author or "",
        site_name=document.sitename or "",
        media_type="text/html",
        converter="html-projection",
    )
