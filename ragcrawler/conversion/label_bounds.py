"""Bounds on what a document says of itself: it is repeated in every chunk, or kept beside the text."""

from dataclasses import replace

from ragcrawler.conversion.converted import Converted
from ragcrawler.items import LABEL_CHARACTERS, Metadata, bounded_label

_MAX_WARNINGS = 50


def bound_labels(converted: Converted) -> Converted:
    """Title and metadata within 1,000 characters each; `metadata.cut` says what was cut.

    An address or an id that is longer is left out: a part of it would name another place.
    """
    said = converted.metadata
    title = bounded_label(converted.title)
    anchors = tuple(anchor for anchor in converted.anchors if len(anchor.id) <= LABEL_CHARACTERS)
    labels = _bound(said)
    canonical_url = said.canonical_url if len(said.canonical_url) <= LABEL_CHARACTERS else ""
    was_cut = {
        "title": title != converted.title,
        "metadata": labels != said,
        "address": canonical_url != said.canonical_url,
        "anchor": len(anchors) < len(converted.anchors),
    }
    cut = (*said.cut, *(kind for kind, is_cut in was_cut.items() if is_cut))
    metadata = replace(labels, canonical_url=canonical_url, cut=cut)
    return replace(converted, title=title, metadata=metadata, anchors=anchors)


def _bound(metadata: Metadata) -> Metadata:
    return replace(
        metadata,
        description=bounded_label(metadata.description),
        language=bounded_label(metadata.language),
        author=bounded_label(metadata.author),
        published=bounded_label(metadata.published),
        modified=bounded_label(metadata.modified),
        site_name=bounded_label(metadata.site_name),
        suspicious=tuple(map(bounded_label, metadata.suspicious)),
        warnings=tuple(map(bounded_label, metadata.warnings[:_MAX_WARNINGS])),
    )
