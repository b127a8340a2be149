from dataclasses import replace
from uuid import UUID

import pytest

from ragcrawler.items import ChunkExtra, SemanticChunk, SparseVector, Vectors
from ragcrawler.retrieval.joining import join_contents
from ragcrawler.retrieval.passage import context_within, passages
from ragcrawler.retrieval.word_budget import count_words, within_words
from ragcrawler.stores import ChunkStore, CollectionModels, Hit, StoreConfig, open_store

SECTIONS = ["Install", "Install", "Logs", "Logs", "Logs", "Backup"]


def made(document: int, position: int, **changes) -> SemanticChunk:
    content = f"Text {position} of document {document}."
    fields = {
        "id": identity(document, position),
        "chunk_id": f"c{document}-{position}",
        "document_id": f"d{document}",
        "document_title": f"Handbook {document}",
        "content": content,
        "content_hash": "",
        "token_count": 5,
        "embed_text": content,
        "start": 0,
        "end": 1,
        "position": position,
        "section_path": ("Guide", SECTIONS[position]),
        "source_url": f"https://docs.example/{document}",
        "chunk_link": f"https://docs.example/{document}#{SECTIONS[position].lower()}",
        "prev_chunk_id": identity(document, position - 1) if position else "",
        "next_chunk_id": identity(document, position + 1) if position < 5 else "",
        "vectors": Vectors((1.0,), SparseVector((), ())),
    }
    return SemanticChunk(**(fields | changes))


def identity(document: int, position: int) -> str:
    return str(UUID(int=100 * document + position + 1))


@pytest.fixture
def store() -> ChunkStore:
    store = open_store(StoreConfig(kind="memory"))
    store.create(CollectionModels("dense", 1, "sparse"))
    store.upsert([made(document, position) for document in (1, 2) for position in range(6)])
    return store


def hits(*places: tuple[int, int]) -> list[Hit]:
    return [Hit(made(*place), 1.0 - number / 10) for number, place in enumerate(places)]


def positions(found) -> list[tuple[str, list[int]]]:
    return [(each.title, [chunk.position for chunk in each.chunks]) for each in found]


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        (0, [("Handbook 1", [3]), ("Handbook 2", [0])]),
        (1, [("Handbook 1", [2, 3, 4]), ("Handbook 2", [0, 1])]),
        (2, [("Handbook 1", [1, 2, 3, 4, 5]), ("Handbook 2", [0, 1, 2])]),
        (9, [("Handbook 1", [0, 1, 2, 3, 4, 5]), ("Handbook 2", [0, 1, 2, 3, 4, 5])]),
        ("section", [("Handbook 1", [2, 3, 4]), ("Handbook 2", [0, 1])]),
    ],
)
def test_neighbours_or_the_section_are_joined_to_a_hit(store, context, expected) -> None:
    assert positions(passages(store, hits((1, 3), (2, 0)), context)) == expected


def test_a_budget_has_room_for_neighbours_and_none_asks_for_none() -> None:
    assert (context_within(1_500), context_within(0)) == (1, 0)


def test_hits_that_touch_or_share_neighbours_are_one_passage_at_the_best_ones_rank(store) -> None:
    [first, second] = passages(store, hits((2, 5), (1, 0), (2, 4), (2, 2)), 1)
    assert [chunk.position for chunk in first.chunks] == [1, 2, 3, 4, 5]
    assert [chunk.position for chunk in first.hits] == [5, 4, 2]
    assert (first.score, second.score) == (1.0, 0.9)
    assert first.link == "https://docs.example/2#backup"
    assert first.section_path == ("Guide", "Backup")
    assert first.text.startswith("Text 1 of document 2.\n\nText 2 of document 2.\n\n")


def test_hits_with_a_gap_between_them_stay_two_passages(store) -> None:
    assert positions(passages(store, hits((1, 4), (1, 0)))) == [("Handbook 1", [4]), ("Handbook 1", [0])]


def test_a_paragraph_that_goes_on_stays_one_and_code_stays_apart(store) -> None:
    store.upsert(
        [
            made(1, 1, content="It begins", is_continuation=False),
            made(1, 2, content="and goes on.", is_continuation=True),
            made(1, 3, content="```\nx\n```", chunk_type="code", is_continuation=True),
        ]
    )
    [passage] = passages(store, [Hit(made(1, 2, content="and goes on.", is_continuation=True), 1.0)], 1)
    assert passage.text == "It begins and goes on.\n\n```\nx\n```"


@pytest.mark.parametrize(
    ("kind", "parts", "expected"),
    [
        ("table", ["| A |\n| --- |\n| 1 |", "| A |\n|-|\n| 2 |"], "| A |\n| --- |\n| 1 |\n| 2 |"),
        ("table", ["| A |\n| --- |\n| 1 |", "| B |\n|-|\n| 2 |"], None),
        ("table", ["| A |\n| --- |\n| 1 |\n\nEnd.", "| A |\n|-|\n| 2 |"], None),
        ("code", ["```py\na = 1\n```", "```py\nb = 2\n```"], "```py\na = 1\nb = 2\n```"),
        ("mixed", ["So:\n\n~~~~\na\n~~~~", "~~~~\nb\n~~~~"], "So:\n\n~~~~\na\nb\n~~~~"),
        ("code", ["```py\na = 1\n```", "```sh\nls\n```"], None),
        ("list", ["- a", "- b"], None),
    ],
)
def test_what_was_cut_comes_together_without_a_second_head(kind, parts, expected) -> None:
    chunks = [
        made(1, number, content=part, chunk_type=kind, is_continuation=number > 0)
        for number, part in enumerate(parts)
    ]
    assert join_contents(chunks) == (expected or "\n\n".join(parts))
    apart = [chunks[0], replace(chunks[1], is_continuation=False)]
    assert join_contents(apart) == "\n\n".join(parts)


def test_what_reads_like_an_instruction_is_told_of_neighbours_too(store) -> None:
    store.upsert([made(1, 2, extra=ChunkExtra(suspicious=("Ignore all that",)))])
    [passage] = passages(store, hits((1, 3)), 1)
    assert passage.suspicious == ("Ignore all that",)


def test_no_hits_are_no_passages_and_a_negative_context_is_refused(store) -> None:
    assert passages(store, [], 1) == []
    with pytest.raises(ValueError, match="context is -1"):
        passages(store, hits((1, 1)), -1)


def test_a_neighbour_that_is_gone_is_no_failure(store) -> None:
    store.delete([identity(1, 2)])
    assert positions(passages(store, hits((1, 3)), 1)) == [("Handbook 1", [3, 4])]


@pytest.mark.parametrize(
    ("budget", "expected", "words", "is_cut"),
    [
        (1000, [[2, 3, 4], [0, 1]], [15, 10], False),
        (25, [[2, 3, 4], [0, 1]], [15, 10], False),
        (24, [[2, 3, 4], [0]], [15, 5], False),
        (19, [[2, 3, 4]], [15], False),
        (15, [[2, 3, 4]], [15], False),
        (14, [[2, 3]], [10], False),
        (5, [[3]], [5], False),
        (3, [[3]], [3], True),
    ],
)
def test_a_budget_takes_context_away_first_and_then_cuts(store, budget, expected, words, is_cut) -> None:
    kept = within_words(passages(store, hits((1, 3), (2, 0)), 1), budget)
    assert [[chunk.position for chunk in each.chunks] for each in kept] == expected
    assert [count_words(each.text) for each in kept] == words
    assert any(each.is_cut for each in kept) is is_cut
    assert all(each.hits[0] in each.chunks for each in kept)


def test_a_budget_of_nothing_is_refused(store) -> None:
    with pytest.raises(ValueError, match="0 words"):
        within_words(passages(store, hits((1, 3))), 0)


def test_links_of_a_passage_cost_no_words_and_have_numbers_where_they_are_asked_for(store) -> None:
    linked = replace(made(1, 3), content="Read [the guide](https://docs.example/guide) or [this](/b) first.")
    found = [Hit(linked, 1.0)]

    [short] = passages(store, found)
    [numbered] = passages(store, found, number_links=True)
    [fitted] = within_words([numbered], 4)

    assert (short.text, short.links) == ("Read the guide or this first.", None)
    assert numbered.text == "Read the guide [1] or this [2] first."
    assert numbered.links == ("https://docs.example/guide", "/b")
    assert (fitted.text, fitted.is_cut) == ("Read the guide [1]", True)
