"""Links of passages: by their labels, or by numbers with a list of addresses; headings by their words."""

import pytest

from ragcrawler.retrieval.short_links import numbered_links, plain_label, short_links, without_footnote_marks


@pytest.mark.parametrize(
    ("markdown", "short", "numbered", "addresses"),
    [
        ("no link", "no link", "no link", ()),
        ("[a](http://e.org/a) b", "a b", "a [1] b", ("http://e.org/a",)),
        ("![kite](/k.png) flies", "kite flies", "kite [1] flies", ("/k.png",)),
        ("[![kite](/k.png)](/k)", "kite", "kite [1]", ("/k",)),
        ("[a](/x) [b](/y) [c](/x)", "a b c", "a [1] b [2] c [1]", ("/x", "/y")),
        ('[a](</x y> "t") [b](/x(1))', "a b", "a [1] b [2]", ("/x y", "/x(1)")),
        ("call `[a](/x)` now", "call `[a](/x)` now", "call `[a](/x)` now", ()),
        ("```md\n[a](/x)\n```\n[b](/y)", "```md\n[a](/x)\n```\nb", "```md\n[a](/x)\n```\nb [1]", ("/y",)),
        ("~~~\n[a](/x)", "~~~\n[a](/x)", "~~~\n[a](/x)", ()),
        ("handlers[0](event)", "handlers[0](event)", "handlers[0](event)", ()),
        (r"\[a](/x)", r"\[a](/x)", r"\[a](/x)", ()),
    ],
)
def test_links_are_labels_or_numbers_and_code_is_left_alone(
    markdown: str, short: str, numbered: str, addresses: tuple[str, ...]
) -> None:
    assert short_links(markdown) == short
    assert numbered_links(markdown) == (numbered, addresses)


@pytest.mark.parametrize("attack", ["[", "`", "[a](/x ", '[a](/x "', "[a](", "```\n", "![", "`` ` "])
def test_the_work_for_hostile_text_grows_with_its_length(attack: str) -> None:
    text = attack * (200_000 // len(attack))
    assert short_links(text)
    assert numbered_links(text)[0]
    assert plain_label(text)
    assert without_footnote_marks(text)


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("Logs", "Logs"),
        (r"\_\_init\_\_(self)", "__init__(self)"),
        ("The `\\markdown` command", "The \\markdown command"),
        (r"mkdir \<name>", "mkdir <name>"),
        ("**Bold**, *slanted* and ~~old~~ [^5]", "Bold, slanted and old"),
        ("[![badge](b.svg)](http://a.example) [label](/x)", "badge label"),
        ("snake_case 2 * 3 < 7", "snake_case 2 * 3 < 7"),
        ("R&amp;D", "R&D"),
        ("<b>Bold</b>", "<b>Bold</b>"),
        ("[^1]", "[^1]"),
    ],
)
def test_a_heading_is_shown_by_its_words(heading: str, shown: str) -> None:
    assert plain_label(heading) == shown


def test_footnote_marks_go_and_code_keeps_them() -> None:
    markdown = "Rotate.[^5] `a[^5]`\n\n```\n[^6]: b\n```\n\n[^5]: Once a day."
    assert without_footnote_marks(markdown) == "Rotate. `a[^5]`\n\n```\n[^6]: b\n```\n\nOnce a day."
