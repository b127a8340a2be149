"""Columns, justified lines and tables without a grid: what holds words apart, and what does not."""

from typing import Any

import pytest

from ragcrawler.conversion import ConversionLimits
from ragcrawler.conversion.pdf import convert_pdf

FILLER = "Logs are rotated every night, and each of them is kept for a week before it goes."
LEFT = [
    "The pump stands in the cellar and",
    "is fed by two pipes of which the",
    "second was added in the year of",
    "the flood when the first one had",
    "not been enough for the water.",
]
RIGHT = [
    "Its motor is older than the house",
    "and came from a mill that was",
    "closed at the time it has been",
    "wound anew and runs as quietly",
    "as on its first day up there.",
]


def markdown_of(draft: Any) -> str:
    return convert_pdf(draft.write(), "https://docs.example.org/manual.pdf", ConversionLimits()).markdown


# Of Times-Roman, in thousandths of the font size.
WIDTHS = {
    **dict.fromkeys("abdghknopquvxy,", 500),
    **dict.fromkeys("ijlt", 278),
    **dict.fromkeys("acez", 444),
    "f": 333,
    "m": 778,
    "r": 333,
    "s": 389,
    "w": 722,
    ".": 250,
    ",": 250,
    "T": 611,
    "I": 333,
}


def spread(page: Any, x: float, y: float, line: str, width: float) -> None:
    """A justified line at 10 points, each word drawn for itself."""
    words = line.split()
    widths = [sum(WIDTHS[letter] for letter in word) / 100 for word in words]
    gap = (width - sum(widths)) / (len(words) - 1)
    for index, word in enumerate(words):
        page.text(round(x + sum(widths[:index]) + gap * index, 3), y, word, "Times-Roman")


@pytest.mark.parametrize("lines", [3, 5])
def test_two_columns_that_are_written_line_by_line_are_no_table(pdf_draft: Any, lines: int) -> None:
    page = pdf_draft.page().text(72, 60, "About the pump", size=16)
    for number in range(lines):
        page.text(72, 100 + 12 * number, LEFT[number]).text(310, 100 + 12 * number, RIGHT[number])
    expected = ["#", "About", "the", "pump", *" ".join(LEFT[:lines] + RIGHT[:lines]).split()]
    assert markdown_of(pdf_draft).split() == expected


def test_a_space_at_the_end_of_a_line_does_not_join_the_columns(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    for number in range(5):
        page.text(72, 100 + 12 * number, LEFT[number] + " ").text(250, 100 + 12 * number, RIGHT[number])
    assert markdown_of(pdf_draft) == f"{' '.join(LEFT)}\n\n{' '.join(RIGHT)}\n"


def test_columns_that_stand_as_close_as_words_do_are_read_apart(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    for x, lines in ((72, LEFT), (72 + 150 + 9, RIGHT)):  # column by column, 9 points apart
        for number, line in enumerate(lines):
            spread(page, x, 100 + 12 * number, line, 150)
    assert markdown_of(pdf_draft).split() == [*" ".join(LEFT).split(), *" ".join(RIGHT).split()]


def test_lines_whose_spaces_were_stretched_stay_lines(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    lines = [
        "the rotation of logs by",
        "internationalised tools",
        "for characteristics of",
        "those that are kept for",
        "a week and then go away",
        "to some other place now",
    ]
    for number, line in enumerate(lines):
        spread(page, 72, 100 + 12 * number, line, 118)
    page.lines(72, 172, "where they stay.", "Times-Roman")
    assert markdown_of(pdf_draft) == f"{' '.join(lines)} where they stay.\n"


def test_long_cells_in_rows_that_stand_apart_stay_a_table(
    pdf_draft: Any,
) -> None:
    page = pdf_draft.page().lines(72, 60, f"{FILLER}\n{FILLER}")
    for number in range(3):
        page.text(72, 120 + 30 * number, LEFT[number]).text(310, 120 + 30 * number, RIGHT[number])
    assert f"| {LEFT[1]} | {RIGHT[1]} |" in markdown_of(pdf_draft)


ROWS = ["Part", "Kind", "No", "State"], ["pump", "old", "11", "quiet"], ["", "new one", "22", "loud"]
MORE = ["valve", "brass", "33", "shut"], ["", "steel", "44", "open"]


@pytest.mark.parametrize("distance", [12, 18])
@pytest.mark.parametrize("xs", [(72, 140, 200, 260), (72, 108, 156, 178)], ids=["far apart", "close"])
def test_an_empty_row_does_not_end_a_table_and_its_rows_are_not_joined(
    pdf_draft: Any, distance: float, xs: tuple[float, ...]
) -> None:
    page = pdf_draft.page().lines(72, 60, f"{FILLER}\n{FILLER}\n{FILLER}\n{FILLER}\n{FILLER}\n{FILLER}")
    for number, row in enumerate([*ROWS, (), *MORE]):
        for x, cell in zip(xs, row, strict=False):
            page.text(x, 150 + distance * number, cell)
    written = [f"| {' | '.join(row)} |" for row in (ROWS[0], ["---"] * 4, *ROWS[1:], *MORE)]
    assert markdown_of(pdf_draft).rstrip().split("\n\n")[-1].split("\n") == written


def test_a_cell_over_rows_and_columns_stands_once(pdf_draft: Any) -> None:
    page = pdf_draft.page().rule(72, 100, 372, 100).rule(72, 160, 372, 160).rule(272, 120, 372, 120)
    page.rule(72, 140, 372, 140)
    for x in (72, 172, 272, 372):
        page.rule(x, 140 if x == 172 else 100, x, 160)
    page.text(80, 120, "wide and high").text(280, 114, "a").text(280, 134, "b")
    page.text(80, 154, "c").text(180, 154, "d").text(280, 154, "e")
    expected = "| wide and high |  | a |\n| --- | --- | --- |\n|  |  | b |\n| c | d | e |\n"
    assert markdown_of(pdf_draft) == expected


def test_a_list_of_prices_is_no_table_of_contents(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 60, FILLER)
    for number, price in enumerate([30, 12, 45, 7]):
        page.text(72, 100 + 14 * number, f"Valve {number} . . . . . . . . . . . . . {price}")
    assert [f"Valve {number}" in markdown_of(pdf_draft) for number in range(4)] == [True] * 4


@pytest.mark.parametrize(("size", "y"), [(8, 50), (10, 30)], ids=["small", "far out"])
def test_header_and_footer_of_a_single_page_are_left_out(pdf_draft: Any, size: float, y: float) -> None:
    page = pdf_draft.page().text(72, y, "Manual of the pump", size=size)
    page.lines(72, 100, "\n".join([FILLER] * 5)).text(72, 842 - y, "For the workshop, page 1", size=size)
    assert markdown_of(pdf_draft) == " ".join([FILLER] * 5) + "\n"


@pytest.mark.parametrize(
    ("text", "font", "y"),
    [
        ("The Pump", "Helvetica-Bold", 50),
        ("This pump is sold as it is.", "Helvetica", 810),
        ("To A. Bee", "Helvetica", 85),
    ],
    ids=["a heading", "a sentence", "close to the text"],
)
def test_what_stands_at_the_edge_of_a_single_page_and_is_text_stays(
    pdf_draft: Any, text: str, font: str, y: float
) -> None:
    pdf_draft.page().text(72, y, text, font).lines(72, 110, "\n".join([FILLER] * 5))
    assert text in markdown_of(pdf_draft)


def test_bullets_that_are_drawn_make_items(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 80, FILLER)
    for number, part in enumerate(["valve", "motor of the pump", "seal"]):
        y = 100 + 12 * number
        page.fill(78, y - 5, 81, y - 2).text(90, y, part)
    assert markdown_of(pdf_draft) == f"{FILLER}\n\n- valve\n- motor of the pump\n- seal\n"


def test_a_sentence_goes_on_over_the_page_with_a_capital_where_the_line_is_full(pdf_draft: Any) -> None:
    last = "It was brought to the house by the men of the mill, by wagon and on the road to"
    pdf_draft.page().lines(72, 740, f"{FILLER}\n{last}")
    pdf_draft.page().lines(72, 60, f"Aachen.\n{FILLER}")
    assert f"{last} Aachen." in markdown_of(pdf_draft)


def test_the_text_of_a_footnote_is_no_address(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 100, "It needs a key").text(135, 96, "1", size=6)
    page.lines(72, 130, f"{FILLER}\n{FILLER}").text(72, 760, "1", size=5).text(
        76, 763, "See the appendix.", size=8
    )
    converted = convert_pdf(pdf_draft.write(), "https://docs.example.org/folder/a.pdf", ConversionLimits())
    assert "[^1]: See the appendix." in converted.markdown
    assert converted.links == ()


def test_the_contents_of_a_column_are_left_out(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        page.text(72, 100 + 12 * number, f"Chapter {number} . . . . . . . . . . {number + 1}")
        page.text(72, 200 + 12 * number, left).text(310, 100 + 12 * number, right)
        page.text(310, 200 + 12 * number, left)
    markdown = markdown_of(pdf_draft)
    assert "Chapter" not in markdown
    assert " ".join(RIGHT) in markdown


def test_a_page_number_does_not_go_on_with_the_sentence_above(pdf_draft: Any) -> None:
    pdf_draft.page().lines(72, 620, f"{FILLER}\n{FILLER[:-1]}").text(290, 700, "12")
    pdf_draft.page().lines(72, 60, f"{FILLER}\n{FILLER}")
    assert f"{FILLER[:-1]} 12" not in markdown_of(pdf_draft)


def test_headers_that_differ_on_each_page_are_known_by_their_place(pdf_draft: Any) -> None:
    titles = ["Of pumps", "Of pipes", "On valves", "On water"]
    for title in titles:
        page = pdf_draft.page().text(72, 90, title, "Helvetica-Oblique")
        page.lines(72, 120, "\n".join([FILLER] * 5))
    assert not any(title in markdown_of(pdf_draft) for title in titles)


def test_a_note_below_the_text_of_a_single_page_stays(pdf_draft: Any) -> None:
    page = pdf_draft.page().lines(72, 100, "\n".join([FILLER] * 5))
    page.text(72, 790, "* without tax", size=8)
    assert "without tax" in markdown_of(pdf_draft)


def test_numbered_titles_make_no_table(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 80, FILLER)
    for number, text in enumerate(LEFT):
        page.text(72, 120 + 18 * number, f"3.{number + 1}").text(105, 120 + 18 * number, text)
    assert "|" not in markdown_of(pdf_draft)


@pytest.mark.parametrize("right", [239, 240, 241, 242])  # gutters are tried at every four points
def test_a_table_that_reaches_into_the_gutter_leaves_the_columns_apart(pdf_draft: Any, right: float) -> None:
    page = pdf_draft.page()
    rows = LEFT[0], LEFT[1]
    for number, line in enumerate((*LEFT, *LEFT)):
        page.text(72, 100 + 12 * number, line)
    page.grid([72, 150, right - 1.2], [230, 246, 262]).text(76, 242, rows[0][:8]).text(154, 242, rows[1][:8])
    page.text(76, 258, "one").text(154, 258, "two")
    for number, line in enumerate((*RIGHT, *RIGHT, *RIGHT)):
        page.text(right, 100 + 12 * number, line)
    assert " ".join([*RIGHT, *RIGHT, *RIGHT]) in markdown_of(pdf_draft)
