from ragcrawler.urls.spellings import Spellings

SLASH, PLAIN, WWW = "https://a.org/docs/", "https://a.org/docs", "https://www.a.org/docs"


def test_another_spelling_of_an_open_page_is_given_once() -> None:
    spellings = Spellings()
    spellings.ask(PLAIN)
    for seen in (PLAIN, SLASH, WWW):
        spellings.see(seen)
    assert spellings.settle(PLAIN) == SLASH
    assert spellings.settle(PLAIN) == ""


def test_the_same_spelling_is_no_other() -> None:
    spellings = Spellings()
    spellings.ask(SLASH)
    spellings.see(SLASH)
    assert spellings.settle(SLASH) == ""


def test_a_page_that_was_answered_needs_no_other_spelling() -> None:
    spellings = Spellings()
    spellings.ask(SLASH)
    spellings.settle(SLASH)
    spellings.see(PLAIN)
    assert spellings.settle(SLASH) == ""
