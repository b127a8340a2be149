"""Rules of a page, put together: producers draw a table's border cell by cell."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from ragcrawler.conversion.pdf.reading.geometry import Box
from ragcrawler.conversion.pdf.reading.page import Drawing

TOUCH = 3.0  # points between the ends of two rules that are meant to meet
_SAME_HEIGHT = 1.5
_MOST_RULES = 2_000  # after merging; a page with more is a drawing

Cluster = tuple[list[Box], list[Box]]
"""Horizontal and vertical rules that touch each other, directly or through others."""


def crossing_rules(drawing: Drawing) -> list[Cluster]:
    """The rules of a page, grouped by what they touch; one that touches no other is left out."""
    horizontal = list(merged_rules(drawing.horizontal))
    vertical = [_turn(rule) for rule in merged_rules(_turn(rule) for rule in drawing.vertical)]
    if len(horizontal) + len(vertical) > _MOST_RULES:
        return []
    clusters: list[Cluster] = []
    for rule in horizontal:
        crossed = [other for other in vertical if _touch(rule, other)]
        if crossed:
            _add(clusters, rule, crossed)
    return clusters


def _add(clusters: list[Cluster], rule: Box, crossed: list[Box]) -> None:
    """Put a rule and the rules it crosses into one cluster with all that those are in."""
    joined = [cluster for cluster in clusters if any(other in cluster[1] for other in crossed)]
    horizontal, vertical = [rule], set(crossed)
    for cluster in joined:
        horizontal += cluster[0]
        vertical |= set(cluster[1])
        clusters.remove(cluster)
    clusters.append((horizontal, list(vertical)))


def _turn(rule: Box) -> Box:
    return Box(rule.top, rule.x0, rule.bottom, rule.x1)


def merged_rules(rules: Iterable[Box]) -> Iterator[Box]:
    """Join horizontal rules of one height whose ends meet."""
    ordered = sorted(rules, key=lambda rule: rule.top + rule.bottom)
    for band in _bands(ordered):
        middle = sum(rule.top + rule.bottom for rule in band) / (2 * len(band))
        start, end = band[0].x0, band[0].x1
        for rule in band[1:]:
            if rule.x0 > end + TOUCH:
                yield Box(start, middle, end, middle)
                start = rule.x0
            end = max(end, rule.x1)
        yield Box(start, middle, end, middle)


def _bands(ordered: list[Box]) -> Iterator[list[Box]]:
    """Rules of one height, from left to right."""
    starts = [0]
    starts += [
        index
        for index, (one, other) in enumerate(pairwise(ordered), start=1)
        if other.top + other.bottom - one.top - one.bottom > 2 * _SAME_HEIGHT
    ]
    for start, end in zip(starts, [*starts[1:], len(ordered)], strict=True):
        if ordered[start:end]:
            yield sorted(ordered[start:end])


def _touch(one: Box, other: Box) -> bool:
    return (
        one.x0 - TOUCH <= other.x1
        and other.x0 - TOUCH <= one.x1
        and one.top - TOUCH <= other.bottom
        and other.top - TOUCH <= one.bottom
    )
