from ragcrawler.frontier.memory_state import MemoryState
from ragcrawler.frontier.spellings import Spellings

SLASH, PLAIN, WWW = "https://a.org/docs/", "https://a.org/docs", "https://www.a.org/docs"


def test_another_spelling_of_an_open_page_is_given_once() -> None:
    spellings = Spellings(MemoryState().notes)
    spellings.ask(PLAIN)
    for seen in (PLAIN, SLASH, WWW):
        spellings.note(seen)
    assert spellings.settle(PLAIN) == SLASH
    assert spellings.settle(PLAIN) == ""


def test_the_same_spelling_is_no_other() -> None:
    spellings = Spellings(MemoryState().notes)
    spellings.ask(SLASH)
    spellings.note(SLASH)
    assert spellings.settle(SLASH) == ""


def test_a_page_that_was_answered_needs_no_other_spelling() -> None:
    spellings = Spellings(MemoryState().notes)
    spellings.ask(SLASH)
    spellings.settle(SLASH)
    spellings.note(PLAIN)
    assert spellings.settle(SLASH) == ""
