"""Links of passages: by their labels, or by numbers with a list of addresses."""

import pytest

from ragcrawler.retrieval.short_links import numbered_links, short_links


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
