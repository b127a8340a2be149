"""What the pages of a site share is told by the pages, and left out of one page's chunks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcrawler.chunking import leave_out
from ragcrawler.chunking.block_counts import BlockCounts
from ragcrawler.chunking.parsing.markdown_blocks import list_markdown_blocks
from ragcrawler.items import Anchor

BANNER = "You read the handbook of an old release that is no longer supported."
UP = "[![up](https://a.example/up.gif)](#top)"
CODE = "```sh\npump --start\n\npump --stop and then wait until it has come to rest\n```"
OWN = "The north valve closes at a wind of forty knots."


def hashes(*texts: str) -> set[str]:
    return {block.hash for text in texts for block in list_markdown_blocks(text)}


def page(*blocks: str) -> str:
    return "\n\n".join(blocks) + "\n"


def test_blocks_stand_between_blank_lines_and_code_is_one() -> None:
    blocks = list_markdown_blocks(f"\n\n# A\n \nb\nc\n\n{CODE}\n\nd\n")
    assert [block.text for block in blocks] == ["# A", "b\nc", CODE, "d\n"]
    assert [block.is_code for block in blocks] == [False, False, True, False]
    assert blocks[1].hash == list_markdown_blocks("b  c")[0].hash


@pytest.mark.parametrize(
    ("text", "words", "is_links"),
    [
        (UP, 1, True),
        ("[Home](/h) | [Up](/u)", 2, True),
        ("See [Home](/h).", 2, False),
        ("plain", 1, False),
        ("![](a.png)", 0, True),
    ],
)
def test_addresses_are_no_words(text: str, words: int, *, is_links: bool) -> None:
    block = list_markdown_blocks(text)[0]
    assert (block.words, block.is_links) == (words, is_links)


def test_pictures_in_brackets_that_never_close_take_linear_time() -> None:
    block = list_markdown_blocks("[" + "![a](b)" * 5_000)[0]
    assert (block.words, block.is_links) == (5_000, True)


@pytest.mark.parametrize(
    ("before", "shared", "after"),
    [
        (page("# T", BANNER, OWN), [BANNER], page("# T", OWN)),
        (page("# T", OWN, BANNER, OWN), [BANNER], page("# T", OWN, OWN)),
        (page("# T", OWN, UP, "## U", OWN, UP), [UP], page("# T", OWN, "## U", OWN) + "\n"),
        # Short ones go at the ends, not in the middle, where they may be labels.
        (page("# T", "Draft", OWN, "Parameters:", OWN, "Helpful?"), ["Draft", "Parameters:", "Helpful?"],
         page("# T", OWN, "Parameters:", OWN) + "\n"),
        (page("# T", OWN, "## Feedback", "Helpful?"), ["## Feedback", "Helpful?"], page("# T", OWN) + "\n"),
        # Headings and code are content.
        (page("## Usage", OWN, CODE, OWN), ["## Usage", CODE], page("## Usage", OWN, CODE, OWN)),
        (page("# T", CODE), ["# T", CODE], page("# T", CODE)),
        # A page of nothing else stays whole.
        (page("# T", BANNER), [BANNER, "# T"], page("# T", BANNER)),
        (page("# T", OWN), [], page("# T", OWN)),
    ],
)  # fmt: skip
def test_what_is_shared_is_left_out(before: str, shared: list[str], after: str) -> None:
    assert leave_out(before, hashes(*shared)).text == after


def test_places_are_those_in_the_whole_text() -> None:
    markdown = page("# T", BANNER, OWN, UP, "## U", "Last.")
    reduced = leave_out(markdown, hashes(BANNER, UP))
    for text in ("# T", OWN, "## U", "Last."):
        at = reduced.text.index(text)
        start, end = reduced.original_start(at), reduced.original_end(at + len(text))
        assert markdown[start:end] == text
    lines = [Anchor(line, str(line)) for line in range(markdown.count("\n"))]
    moved = {anchor.id: anchor.line for anchor in reduced.move_anchors(markdown, lines)}
    kept = reduced.text.split("\n")
    for line, text in enumerate(markdown.split("\n")[:-1]):
        if text in (OWN, "# T", "## U", "Last."):
            assert kept[moved[str(line)]] == text
    assert kept[moved["2"]] == OWN  # an anchor of the banner leads to what follows it
    assert reduced.characters == len(markdown) - len(reduced.text)


@given(st.lists(st.sampled_from(["# T", BANNER, OWN, UP, CODE, "short", "- a\n- b", "x"]), max_size=12))
def test_every_character_that_is_left_is_found_in_the_whole_text(blocks: list[str]) -> None:
    markdown = page(*blocks)
    reduced = leave_out(markdown, hashes(BANNER, UP, "short"))
    for offset, character in enumerate(reduced.text):
        assert markdown[reduced.original_start(offset)] == character
        assert reduced.original_end(offset + 1) == reduced.original_start(offset) + 1


def counted(pages: list[str], share: float = 0.5, **before: str) -> dict[str, str]:
    counts = BlockCounts(share, before)
    for number, markdown in enumerate(pages):
        counts.add(f"d{number:03}", markdown)
    return counts.shared()


def test_a_block_on_half_of_the_pages_is_boilerplate_and_the_first_page_keeps_it() -> None:
    pages = [page(f"# {n}", f"Own {n}.", *([BANNER] if n % 2 else []), CODE) for n in range(40)]
    assert counted(pages) == dict.fromkeys(hashes(BANNER), "d001")
    assert counted(pages, 0.6) == {}


def test_a_site_of_a_few_pages_has_no_boilerplate() -> None:
    assert counted([BANNER] * 19) == {}
    assert counted([BANNER] * 20) != {}


def test_what_was_boilerplate_stays_so_for_a_while_and_its_page_keeps_it() -> None:
    (banner,) = hashes(BANNER)
    pages = [page(f"Own {n}.", *([BANNER] if n % 10 < 4 else [])) for n in range(40)]
    assert counted(pages) == {}
    assert counted(pages, **{banner: "d011"}) == {banner: "d011"}
    assert counted(pages, **{banner: "gone"}) == {banner: "d000"}


def test_the_memory_of_counts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragcrawler.chunking.block_counts._MOST_COUNTED", 100)
    pages = [page(BANNER, *(f"Own {n} {m}." for m in range(50))) for n in range(30)]
    assert counted(pages) == dict.fromkeys(hashes(BANNER), "d000")
