"""From pages to blocks: the steps, in order."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ragcrawler.conversion.pdf.blocks import Block, Figure, Table
from ragcrawler.conversion.pdf.layout.block_builder import BlockBuilder
from ragcrawler.conversion.pdf.layout.columns import reading_order
from ragcrawler.conversion.pdf.layout.contents import bare, without_contents
from ragcrawler.conversion.pdf.layout.continuations import join_continuations
from ragcrawler.conversion.pdf.layout.document_style import DocumentStyle, document_style
from ragcrawler.conversion.pdf.layout.figures import find_figures, with_captions
from ragcrawler.conversion.pdf.layout.furniture import without_furniture
from ragcrawler.conversion.pdf.layout.groups import GroupRules, group_lines, stacked
from ragcrawler.conversion.pdf.layout.heading_styles import heading_styles
from ragcrawler.conversion.pdf.layout.rows import join_listing, merge_pieces
from ragcrawler.conversion.pdf.reading.document_reader import PdfContent
from ragcrawler.conversion.pdf.reading.outline import PdfOutlineEntry, match_outline
from ragcrawler.conversion.pdf.reading.page import PageContent
from ragcrawler.conversion.pdf.reading.text.lines import Line
from ragcrawler.conversion.pdf.tables.aligned_tables import with_aligned_tables
from ragcrawler.conversion.pdf.tables.ruled_tables import take_ruled_tables
from ragcrawler.conversion.pdf.tables.rules import merged_rules

Group = tuple[Line, ...] | Table | Figure


@dataclass(slots=True)
class _Pages:
    """The groups of all pages, and the headings among them that the outline names."""

    groups: list[list[Group]]
    named: dict[Line, int]


@dataclass(frozen=True, slots=True)
class Understood:
    """A document after layout analysis.

    Attributes:
        blocks: in reading order.
        doubtful_pages: 1-based numbers of those of which a line was taken for a header or footer that stands
            nowhere else.
    """

    blocks: list[Block]
    doubtful_pages: list[int]


def understand(content: PdfContent) -> Understood:
    """Find the blocks of a document."""
    # tables first: a header that is repeated on every page belongs to its table
    tables, untabled = _without_tables(content.pages)
    style = document_style(content.pages)
    cleaned = without_furniture(untabled, style.size)
    outline: dict[int, list[PdfOutlineEntry]] = defaultdict(list)
    for entry in content.outline:
        outline[entry.page].append(entry)
    found = _Pages([], {})
    titles = frozenset(bare(entry.title) for entry in content.outline)
    for page in cleaned.pages:
        listed = replace(page, lines=tuple(without_contents(page.lines, titles)))
        columns = _columns(listed, tables[page.number], titles)
        found.groups.extend(_page_groups(listed, columns, outline[page.number], style, found.named))
    alone = [group for groups in found.groups for group in groups if isinstance(group, tuple)]
    headings = heading_styles(found.named.items(), alone, style)
    builder = BlockBuilder(style, headings, found.named)
    blocks = [block for groups in found.groups for block in builder.build(groups)]
    height = max((page.height for page in cleaned.pages), default=0.0)
    blocks = with_captions(join_continuations(blocks, height))
    return Understood(blocks, cleaned.doubtful_pages)


def _without_tables(pages: Sequence[PageContent]) -> tuple[dict[int, list[Table]], list[PageContent]]:
    """The ruled tables by page number, and the pages without them."""
    tables, untabled = {}, []
    for page in pages:
        tables[page.number], lines = take_ruled_tables(page)
        untabled.append(replace(page, lines=tuple(lines)))
    return tables, untabled


def _columns(
    page: PageContent, tables: Sequence[Table], titles: frozenset[str]
) -> Iterator[list[Line | Table | Figure]]:
    """What stands on a page, column by column, without the contents that a column may list."""
    items: list[Line | Table | Figure] = [*merge_pieces(page.lines), *tables, *find_figures(page)]
    for column in reading_order(items, list(merged_rules(page.drawing.horizontal))):
        lines = [item for item in column if isinstance(item, Line)]
        kept = {id(line) for line in without_contents(lines, titles)}
        yield [item for item in column if not isinstance(item, Line) or id(item) in kept]


def _page_groups(
    page: PageContent,
    columns: Iterator[list[Line | Table | Figure]],
    entries: Sequence[PdfOutlineEntry],
    style: DocumentStyle,
    named: dict[Line, int],
) -> Iterator[list[Group]]:
    """The groups of each column of a page; `named` receives what the outline names."""
    ruled = list(merged_rules(page.drawing.horizontal))
    fills = stacked(page.drawing.fills)
    for column in columns:
        region = list(with_aligned_tables(column, ruled, style))
        groups: list[Group] = []
        for _, run in groupby(region, key=lambda item: isinstance(item, Line)):
            together = list(run)
            lines = join_listing(item for item in together if isinstance(item, Line))
            matches = match_outline(lines, entries, page.height)
            named.update({lines[match.start]: match.level for match in matches})
            rules = GroupRules(style, fills, {match.start: match.end for match in matches})
            groups.extend(group_lines(lines, rules))
            groups.extend(item for item in together if not isinstance(item, Line))
        yield groups
