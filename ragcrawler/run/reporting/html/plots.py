"""Plots as SVG within HTML: lines over time, and bars in the rows of a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from lxml import etree

from ragcrawler.retrieval.formatting.html import Child, element
from ragcrawler.run.reporting.activity.histogram import Histogram
from ragcrawler.run.reporting.activity.time_series import TimeSeries, clock

_WIDTH, _HEIGHT = 600, 160
_MOST_POINTS = 240
_STEPS = (1, 2, 5, 10)


class Point(NamedTuple):
    """Seconds of work since the crawl began, and how many there were."""

    seconds: float
    total: int


def time_plot(title: str, stretches: Sequence[TimeSeries], names: Mapping[str, str]) -> etree._Element:
    """Growing counts over the time that the crawl was at work; a dashed line where it went on after a break.

    Args:
        title: says what is shown.
        stretches: of the crawl, one a run.
        names: of the counts, with the events that they count; the first is drawn boldest, and others are left
            out where nothing was counted.
    """
    lines = {name: cumulated_points(stretches, event) for name, event in names.items()}
    lines = {name: points for name, points in lines.items() if points[-1].total or name == next(iter(names))}
    seconds = max(sum(each.length * each.width_seconds for each in stretches), 1.0)
    top = nice_top(max(points[-1].total for points in lines.values()))
    drawing = element(
        "svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{title}: " + ", ".join(f"{points[-1].total:,} {name}" for name, points in lines.items()),
    )
    drawing.append(_line("grid", [(0, _HEIGHT / 2), (_WIDTH, _HEIGHT / 2)]))
    for second in break_seconds(stretches):
        place = second / seconds * _WIDTH
        drawing.append(_line("break", [(place, 0), (place, _HEIGHT)]))
    looks = {name: number for number, name in enumerate(names)}  # the same, whichever others there are
    for name, points in lines.items():
        places = [(x / seconds * _WIDTH, _HEIGHT - y / top * _HEIGHT) for x, y in _thinned(points)]
        drawing.append(_line(f"line line{looks[name]}", places))
    legend = (
        element("li", _swatch(looks[name]), f" {name} ({points[-1].total:,})")
        for name, points in lines.items()
    )
    return element(
        "figure",
        element("figcaption", title),
        element("ul", *legend, class_="legend"),
        element(
            "div",
            element("div", *_labels(f"{top:,}", f"{top / 2:,g}", "0"), class_="y", aria_hidden="true"),
            drawing,
            element("div", *_labels(*map(clock, (0, seconds / 2, seconds))), class_="x", aria_hidden="true"),
            class_="plot",
        ),
    )


def bar_table(
    heads: tuple[str, str], rows: Mapping[str, float], *, unit: str = "", digits: int = 0
) -> etree._Element:
    """Names with their numbers, and a bar for each; the longest bar is the largest number."""
    most = max(rows.values(), default=0) or 1
    body = element("tbody")
    for name, value in rows.items():
        number = element("td", f"{value:,.{digits}f}{unit}", class_="number")
        body.append(element("tr", element("th", name, scope="row"), number, _bar(value / most)))
    names = [element("th", head, scope="col") for head in heads]
    head = element("thead", element("tr", *names, element("td")))
    return element("table", head, body, class_="bars")


def histogram_table(heads: tuple[str, str], histogram: Histogram, unit: str = "") -> etree._Element:
    """The counts of a histogram, without the empty ends."""
    rows = dict(_ranges(histogram, unit))
    return bar_table(heads, rows)


def cumulated_points(stretches: Iterable[TimeSeries], name: str) -> list[Point]:
    """How many there were after each bucket, over all runs, without the time between them."""
    points, seconds, total = [Point(0.0, 0)], 0.0, 0
    for series in stretches:
        sums = series.cumulated(name) if name in series.counts else [0] * series.length
        for place, count in enumerate(sums, start=1):
            points.append(Point(seconds + place * series.width_seconds, total + count))
        seconds, total = points[-1]
    return points


def break_seconds(stretches: Sequence[TimeSeries]) -> Iterator[float]:
    """When the second and each later run began."""
    seconds = 0.0
    for series, _ in pairwise(stretches):
        seconds += series.length * series.width_seconds
        yield seconds


def nice_top(count: int) -> int:
    """The least of 1, 2, 5, 10, 20, ... that is not below the count; at least 2."""
    power = int(f"1{'0' * (len(str(count)) - 1)}")
    top: int = next(step * power for step in _STEPS if step * power >= count)
    return max(top, 2)


def _ranges(histogram: Histogram, unit: str) -> Iterator[tuple[str, int]]:
    """Words for each bucket between the first and the last that hold something."""
    used = [place for place, count in enumerate(histogram.counts) if count]
    for place in range(used[0], used[-1] + 1) if used else ():
        if place < len(histogram.bounds):
            least = f"{histogram.bounds[place - 1]:,g} to " if place else "up to "
            name = f"{least}{histogram.bounds[place]:,g}{unit}"
        else:
            name = f"over {histogram.bounds[-1]:,g}{unit}"
        yield name, histogram.counts[place]


def _thinned(points: Sequence[Point]) -> Iterator[Point]:
    step = -(-len(points) // _MOST_POINTS)
    yield from points[:-1:step]
    yield points[-1]


def _line(kind: str, places: Iterable[tuple[float, float]]) -> etree._Element:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return element("polyline", points=points, class_=kind, vector_effect="non-scaling-stroke")


def _swatch(number: int) -> etree._Element:
    line = element("line", x1="0", y1="5", x2="24", y2="5", class_=f"line line{number}")
    return element("svg", line, viewBox="0 0 24 10", class_="swatch", aria_hidden="true")


def _labels(*texts: str) -> Iterator[Child]:
    return (element("span", text) for text in texts)


def _bar(share: float) -> etree._Element:
    width = f"{max(share * 100, 0.5 if share else 0):.1f}"
    drawing = element("svg", viewBox="0 0 100 10", preserveAspectRatio="none", aria_hidden="true")
    drawing.append(element("rect", width=width, height="10"))
    return element("td", drawing, class_="bar")
