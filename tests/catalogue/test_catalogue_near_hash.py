"""Fingerprints of texts: alike where only prose differs a little, apart where anything that counts does."""

import random

import pytest

from ragcrawler.catalogue import NearIndex, near_hash
from ragcrawler.catalogue.near_index import estimated_similarity

_CHOICE = random.Random(7)
WORDS = [
    _CHOICE.choice(("pump", "soil", "light", "seed", "root", "leaf", "frost", "bed")) for _ in range(300)
]
PROSE = " ".join(WORDS)
TEXT = (
    f"# Garden\n\n{PROSE}\n\n[More](https://a.org/x1) about `open`.\n\n"
    "| Valve | State |\n| --- | --- |\n| North | shut |\n\n```\nwater --now\n# a note\n```\n\n"
    "Since version 3.1.\n"
)


def fingerprint(text: str) -> str:
    return near_hash(text, min_words=50)


def is_near(one: str, other: str, similarity: float = 0.95) -> bool:
    index = NearIndex(similarity)
    index.put("one", fingerprint(one))
    return index.find("other", fingerprint(other)) == ["one"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("More", "Further"),
        ("https://a.org/x1", "https://mirror.example/v2/x1?a=3"),
        ("# Garden\n\n", "# Garden\n\nYou are reading a copy.\n\n"),
        ("about", "ABOUT"),
    ],
)
def test_a_little_other_prose_is_nearly_the_same(old: str, new: str) -> None:
    assert is_near(TEXT, TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Garden", "# Gardens"),
        ("| North | shut |", "| North | open |"),
        ("3.1", "3.2"),
        ("`open`", "`close`"),
        ("--now", "--later"),
        ("# a note", "# another"),
    ],
)
def test_one_other_name_or_number_makes_another_text(old: str, new: str) -> None:
    assert not is_near(TEXT, TEXT.replace(old, new, 1))


def test_much_other_prose_makes_another_text() -> None:
    edited = " ".join("other" if position % 30 == 0 else word for position, word in enumerate(WORDS))
    assert not is_near(TEXT, TEXT.replace(PROSE, edited))


def test_the_same_words_in_another_order_are_another_text() -> None:
    assert not is_near(TEXT, TEXT.replace(PROSE, " ".join(reversed(WORDS))))


@pytest.mark.parametrize(
    "text", ["", "word", "word " * 49, "1234 " * 300_000], ids=["none", "one", "few", "many"]
)
def test_a_text_too_short_or_too_long_has_no_fingerprint(text: str) -> None:
    assert fingerprint(text) == ""


def test_scripts_without_spaces_have_words() -> None:
    assert fingerprint("庭に水をやる" * 20) != ""


def test_the_estimate_is_near_the_share_of_word_sequences_in_common() -> None:
    words = [f"w{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in range(400)]
    edited = [*words[:-40], *(word.upper() + "x" for word in words[-40:])]
    estimate = estimated_similarity(fingerprint(" ".join(words)), fingerprint(" ".join(edited)))
    assert estimate == pytest.approx(357 / 437, abs=0.1)


def test_a_fingerprint_is_the_same_wherever_it_is_made() -> None:
    # Catalogues keep it: another value would make every text a new one.
    assert fingerprint(TEXT)[:32] == "b8b86c2a63e1552544cdf1e43b8f64f5"


def test_a_document_that_is_read_again_is_found_by_what_it_says_now() -> None:
    index = NearIndex(0.95)
    index.put("one", fingerprint(TEXT))
    index.put("one", fingerprint(TEXT.replace("Garden", "Gardens")))
    assert index.find("other", fingerprint(TEXT)) == []
    index.put("one", "")
    assert index.find("other", fingerprint(TEXT.replace("Garden", "Gardens"))) == []


def test_a_document_is_no_copy_of_itself_and_the_most_similar_comes_first() -> None:
    index = NearIndex(0.9)
    index.put(
        "far", fingerprint(TEXT.replace("# Garden\n\n", "# Garden\n\nYou are reading a copy of it.\n\n"))
    )
    index.put("near", fingerprint(TEXT))
    assert index.find("near", fingerprint(TEXT)) == ["far"]
    assert index.find("other", fingerprint(TEXT)) == ["near", "far"]


def test_nothing_is_alike_where_the_comparison_is_off() -> None:
    assert not is_near(TEXT, TEXT, similarity=0)
