"""What a reader sees in a PDF stands in the Markdown: one small drawn document a fact."""

from typing import Any

import pytest

from ragcrawler.conversion import ConversionLimits, Converted
from ragcrawler.conversion.pdf import convert_pdf

URL = "https://docs.example.org/manual.pdf"
FILLER = "Logs are rotated every night, and each of them is kept for a week before it goes."


def convert(draft: Any) -> Converted:
    return convert_pdf(draft.write(), URL, ConversionLimits())


def test_lines_of_a_paragraph_are_joined_and_paragraphs_are_not(pdf_draft: Any) -> None:
    pdf_draft.page().lines(72, 100, "First line of it\nand the second one.\n\nAnother paragraph.")
    assert convert(pdf_draft).markdown == "First line of it and the second one.\n\nAnother paragraph.\n"


def test_larger_type_makes_headings_and_size_their_level(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    page.text(72, 80, "Handbook", size=20).text(72, 120, FILLER)
    page.text(72, 160, "Rotation", size=14).text(72, 190, FILLER)
    assert convert(pdf_draft).markdown == f"# Handbook\n\n{FILLER}\n\n## Rotation\n\n{FILLER}\n"


def test_a_bold_line_of_its_own_is_a_heading_where_there_is_no_outline(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    page.text(72, 100, "Rotation", "Helvetica-Bold").text(72, 130, FILLER)
    assert convert(pdf_draft).markdown.startswith("# Rotation\n")


def test_the_outline_names_headings_that_look_like_running_text(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    page.text(72, 100, "Rotation").text(72, 130, FILLER)
    pdf_draft.bookmark("Rotation", 0, 90)
    assert convert(pdf_draft).markdown == f"# Rotation\n\n{FILLER}\n"


@pytest.mark.parametrize("caption", ["Table 3. Sizes", "Figure 1 The pump", "Example 2.1: logs"])
def test_a_bold_caption_is_no_heading(pdf_draft: Any, caption: str) -> None:
    pdf_draft.page().text(72, 100, caption, "Helvetica-Bold").text(72, 130, FILLER)
    assert "#" not in convert(pdf_draft).markdown


def test_columns_are_read_one_after_the_other(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    left = [f"left column line {number} of some length" for number in range(6)]
    right = [f"right column line {number} of such length" for number in range(6)]
    for number in range(6):  # as a producer writes that goes line by line across the page
        page.text(60, 100 + 12 * number, left[number]).text(310, 100 + 12 * number, right[number])
    assert convert(pdf_draft).markdown.split() == " ".join(left + right).split()


def test_running_headers_footers_and_page_numbers_are_left_out(pdf_draft: Any) -> None:
    for number in range(4):
        page = pdf_draft.page()
        page.text(200, 30, "Manual of the pump").text(280, 820, f"Page {number + 1} of 4")
        page.lines(72, 100, f"Text of page {number}.\n{FILLER}")
    markdown = convert(pdf_draft).markdown
    assert "Manual of the pump" not in markdown
    assert "Page" not in markdown
    assert [f"Text of page {number}." in markdown for number in range(4)] == [True] * 4


def test_a_table_with_rules_is_a_table_and_a_spanning_cell_stands_once(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    page.rule(72, 100, 272, 100).rule(72, 120, 272, 120).rule(72, 140, 272, 140).rule(72, 160, 272, 160)
    page.rule(72, 100, 72, 160).rule(272, 100, 272, 160).rule(172, 100, 172, 140)
    page.text(76, 114, "Size").text(176, 114, "Price | each")
    page.text(76, 134, "small").text(176, 134, "3").text(76, 154, "on request")
    expected = "| Size | Price \\| each |\n| --- | --- |\n| small | 3 |\n| on request |  |\n"
    assert convert(pdf_draft).markdown == expected


def test_a_table_goes_on_over_the_page_and_its_repeated_header_goes(pdf_draft: Any) -> None:
    for rows in (["a", "b"], ["c"]):
        page = pdf_draft.page()
        ys = [60 + 20 * number for number in range(len(rows) + 2)]
        page.grid([72, 172, 272], ys).text(76, 74, "Key").text(176, 74, "Value")
        for number, row in enumerate(rows):
            page.text(76, 94 + 20 * number, row).text(176, 94 + 20 * number, row * 2)
    assert (
        convert(pdf_draft).markdown == "| Key | Value |\n| --- | --- |\n| a | aa |\n| b | bb |\n| c | cc |\n"
    )


def test_cells_that_only_stand_in_columns_make_a_table_too(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 80, FILLER)
    for number, row in enumerate(
        [("Name", "Use"), ("cron", "starts jobs"), ("at", "starts one job"), ("ps", "")]
    ):
        page.text(72, 120 + 16 * number, row[0])
        if row[1]:
            page.text(160, 120 + 16 * number, row[1])
    page.text(72, 200, FILLER)
    table = "| Name | Use |\n| --- | --- |\n| cron | starts jobs |\n| at | starts one job |\n"
    assert table in convert(pdf_draft).markdown


def test_monospaced_lines_are_code_with_their_indentation_and_blank_lines(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 80, FILLER)
    page.lines(72, 110, "def rotate(logs):\n    for log in logs:\n\n        keep(log,  7)", "Courier", 9)
    code = "```\ndef rotate(logs):\n    for log in logs:\n\n        keep(log,  7)\n```\n"
    assert convert(pdf_draft).markdown == f"{FILLER}\n\n{code}"


def test_a_monospaced_word_in_running_text_is_inline_code(pdf_draft: Any) -> None:
    page = (
        pdf_draft.page().text(72, 100, "Call").text(95, 100, "rotate", "Courier").text(134, 100, "at night.")
    )
    page.text(72, 140, FILLER)
    assert convert(pdf_draft).markdown.startswith("Call `rotate` at night.\n")


def test_lists_nest_by_indentation_and_paragraphs_stay_with_their_item(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 80, "Do this:")
    page.text(72, 100, "1.").text(90, 100, "Stop the pump")
    page.text(90, 116, "\x95").text(104, 116, "close the valve").text(104, 128, "and wait")
    page.text(90, 148, "Then it is quiet.").text(72, 168, "2.").text(90, 168, "Open it")
    first = "1. Stop the pump\n    - close the valve and wait\n\n    Then it is quiet."
    expected = f"Do this:\n\n{first}\n\n2. Open it\n"
    assert convert(pdf_draft).markdown == expected


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ("the configuration of a confi-\nguration file", "the configuration of a configuration file"),
        ("a session and a based on session-\nbased store", "a session and a based on session-based store"),
        (
            "a configuration is it\nthat the confi-\nguration of rota-\ntion needs",
            "a configuration is it that the configuration of rotation needs",
        ),
        ("see the Non-\nMaintainer upload", "see the Non-Maintainer upload"),
        ("pages 3 -\nand 4", "pages 3 - and 4"),
    ],
)
def test_a_hyphen_goes_where_it_divides_a_word_and_stays_elsewhere(
    pdf_draft: Any, lines: str, joined: str
) -> None:
    pdf_draft.page().lines(72, 100, lines)
    assert convert(pdf_draft).markdown == f"{joined}\n"


def test_a_sentence_goes_on_over_the_page_past_a_footnote(pdf_draft: Any) -> None:
    page = pdf_draft.page().lines(72, 100, f"{FILLER}\nIt needs a key")
    page.text(135, 108, "1", size=6).text(141, 112, "that is kept")
    page.text(72, 760, "1", size=5).text(76, 763, "On paper, too.", size=8)
    pdf_draft.page().lines(72, 60, f"in a safe place.\n{FILLER}")
    markdown = convert(pdf_draft).markdown
    assert "It needs a key[^1] that is kept in a safe place." in markdown
    assert markdown.endswith("\n\n[^1]: On paper, too.\n")


def test_links_lead_where_the_page_says_and_a_printed_address_is_not_repeated(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 100, "See the guide (https://e.org/g) for more.")
    page.link(107, 90, 207, 103, "https://e.org/g")
    converted = convert(pdf_draft)
    assert converted.markdown == "See the [guide](https://e.org/g) for more.\n"
    assert converted.links == ("https://e.org/g",)


def test_pictures_are_taken_out_once_and_shown_with_their_captions(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 80, FILLER).image(72, 100, 172, 200)
    page.text(72, 220, "Figure 1: the pump").image(72, 300, 172, 400).text(72, 430, FILLER)
    converted = convert(pdf_draft)
    assert "![Figure 1: the pump](picture-1.png)\n\nFigure 1: the pump" in converted.markdown
    assert converted.markdown.count("(picture-1.png)") == 2
    assert [(picture.name, picture.media_type) for picture in converted.pictures] == [
        ("picture-1.png", "image/png")
    ]
    assert converted.pictures[0].data.startswith(b"\x89PNG")


def test_a_printed_table_of_contents_is_left_out(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 60, FILLER)
    for number in range(4):
        page.text(72, 100 + 14 * number, f"Chapter {number} . . . . . . . . . . . . . {number + 3}")
    assert convert(pdf_draft).markdown == f"{FILLER}\n"


def test_anchors_name_the_page_of_every_heading(pdf_draft: Any) -> None:
    for title in ("First", "Second"):
        pdf_draft.page().text(72, 80, title, size=18).text(72, 120, FILLER)
    converted = convert(pdf_draft)
    lines = converted.markdown.split("\n")
    assert [(lines[anchor.line], anchor.id) for anchor in converted.anchors] == [
        ("# First", "page=1"),
        ("# Second", "page=2"),
    ]


def test_title_author_and_dates_come_from_the_information_dictionary(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER)
    pdf_draft.information = {"Title": "The Pump", "Author": "A. Bee", "CreationDate": "D:20240131120000Z"}
    converted = convert(pdf_draft)
    assert (converted.title, converted.metadata.author) == ("The Pump", "A. Bee")
    assert (converted.metadata.published, converted.metadata.converter) == ("2024-01-31", "pdf-text-layer")


@pytest.mark.parametrize("title", ["Microsoft Word - pump_v3.doc", "pump.tex", "untitled 1"])
def test_a_file_name_is_no_title(pdf_draft: Any, title: str) -> None:
    pdf_draft.page().text(72, 80, "The Pump", size=18).text(72, 120, FILLER)
    pdf_draft.information = {"Title": title}
    assert convert(pdf_draft).title == "The Pump"


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_page_that_is_only_stored_upright_is_read_in_its_lines(pdf_draft: Any, rotate: int) -> None:
    pdf_draft.page(rotate=rotate).lines(72, 100, "First line of it\nand the second one.")
    assert convert(pdf_draft).markdown == "First line of it and the second one.\n"


@pytest.mark.parametrize("rotate", [0, 90])
def test_a_page_that_is_printed_sideways_is_turned(pdf_draft: Any, rotate: int) -> None:
    page = pdf_draft.page(rotate=rotate)
    for number, text in enumerate(["First line of it", "and the second one."]):
        page.sideways(100 + 12 * number, 700, text)
    assert convert(pdf_draft).markdown == "First line of it and the second one.\n"


def test_text_that_stands_sideways_beside_the_rest_is_counted(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER).sideways(30, 500, "preprint")
    converted = convert(pdf_draft)
    assert converted.markdown == f"{FILLER}\n"
    assert converted.metadata.warnings == ("8 characters that stand sideways were left out",)


def test_text_that_no_reader_sees_is_left_out_and_counted(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER).text(700, 100, "hidden").text(72, 300, "tiny", size=0.5)
    converted = convert(pdf_draft)
    assert converted.markdown == f"{FILLER}\n"
    assert converted.metadata.hidden_characters == len("hiddentiny")


def test_invisible_text_is_hidden_unless_it_lies_over_a_scan(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER).invisible(72, 300, "ignored")
    pdf_draft.page().image(0, 0, 595, 842).invisible(72, 300, "What was scanned, as OCR has read it.")
    converted = convert(pdf_draft)
    assert "ignored" not in converted.markdown
    assert "What was scanned, as OCR has read it." in converted.markdown
    assert converted.metadata.hidden_characters == len("ignored")


def test_signs_that_mean_something_to_markdown_are_escaped(pdf_draft: Any) -> None:
    pdf_draft.page().lines(72, 100, "# no heading with <b> and *stars*", "Times-Roman")
    assert convert(pdf_draft).markdown == "\\# no heading with \\<b> and \\*stars\\*\n"


def test_a_row_that_the_page_cuts_in_two_is_one_row(pdf_draft: Any) -> None:
    page = pdf_draft.page()
    page.grid([72, 172, 372], [700, 720]).text(76, 714, "Key").text(176, 714, "Meaning")
    for x in (72, 172, 372):
        page.rule(x, 720, x, 780)
    page.text(76, 754, "a").text(176, 754, "what comes first and is")
    page = pdf_draft.page().text(176, 74, "never the last").rule(72, 84, 372, 84)
    for x in (72, 172, 372):
        page.rule(x, 60, x, 84)
    expected = "| Key | Meaning |\n| --- | --- |\n| a | what comes first and is never the last |\n"
    assert convert(pdf_draft).markdown == expected


def test_a_logo_on_every_page_is_no_picture(pdf_draft: Any) -> None:
    for number in range(4):
        page = pdf_draft.page().image(480, 20, 540, 80).lines(72, 200, f"Text {number}.\n{FILLER}")
        if number == 2:
            page.image(72, 300, 172, 400, grey=7)
    converted = convert(pdf_draft)
    assert converted.markdown.count("![](") == 1
    assert len(converted.pictures) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The pump was built by\nA. Bee of Aachen",
        "It takes less than\n12. Then it stops",
        "one word\n- or two",
    ],
)
def test_what_only_looks_like_a_marker_stays_in_its_paragraph(pdf_draft: Any, text: str) -> None:
    pdf_draft.page().lines(72, 100, text)
    assert convert(pdf_draft).markdown == text.replace("\n", " ") + "\n"


def test_items_that_stand_close_are_items_each(pdf_draft: Any) -> None:
    pdf_draft.page().lines(72, 100, "Parts:\n1. valve\n2. motor\n3. seal")
    assert convert(pdf_draft).markdown == "Parts:\n\n1. valve\n2. motor\n3. seal\n"


def test_the_language_comes_from_the_catalogue(pdf_draft: Any) -> None:
    pdf_draft.page().text(72, 100, FILLER)
    pdf_draft.language = "en-GB"
    assert convert(pdf_draft).metadata.language == "en-GB"


LONE_LINE = "a line at the edge that stands once was taken for a header or footer, on pages 1"


@pytest.mark.parametrize(
    ("foot", "size", "warnings"),
    [
        ("Prices without tax, from the first of May", 7, (LONE_LINE,)),
        ("- 1 -", 7, ()),
        ("The pump", 7, ()),  # the heading says it too
        ("Prices without tax, from the first of May.", 7, ()),  # a sentence, which is kept
    ],
)
def test_a_line_at_the_foot_of_one_page_is_not_left_out_without_a_word(
    pdf_draft: Any, foot: str, size: int, warnings: tuple[str, ...]
) -> None:
    page = pdf_draft.page().text(72, 80, "The pump", size=16)
    page.lines(72, 110, "\n".join([FILLER] * 4)).text(72, 810, foot, size=size)
    converted = convert(pdf_draft)
    assert converted.metadata.warnings == warnings
    assert (foot in converted.markdown) is foot.endswith((".", "pump"))


def test_forms_notes_and_attachments_are_left_out_with_a_warning_each(pdf_draft: Any) -> None:
    page = pdf_draft.page().text(72, 100, FILLER)
    page.annotation("Widget", FT="/Tx", T="(name)", V="(Ada)").annotation("Widget", FT="/Tx", V="()")
    page.annotation("Widget", FT="/Btn", V="/Off").annotation("Text", Contents="(Check this.)")
    page.annotation("Popup", Contents="(Check this.)").annotation("Highlight")
    page.link(72, 90, 200, 110, "https://a.example/")
    pdf_draft.attachments = ["prices.csv", "plan.dwg"]
    assert convert(pdf_draft).metadata.warnings == (
        "1 filled fields of forms were left out",
        "1 notes beside the text were left out",
        "2 attached files were left out",
    )
