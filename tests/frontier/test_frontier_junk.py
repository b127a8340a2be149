import pytest

from ragcrawler.frontier.filters.junk import UNNAMED, JunkFilter, UnknownWordError
from ragcrawler.urls.errors import PatternError

WORDS = {"contact", "privacy", "terms", "faq", "tag"}
SPECIFICATION_PATTERN = "(contact|privacy|terms|faq|tag)"


@pytest.mark.parametrize(
    "path",
    [
        "/contact",
        "/contacts",
        "/contact/",
        "/Contact_Us",
        "/contact-us.html",
        "/contact.php",
        "/contactus",
        "/en/contact/form",
        "/privacy",
        "/privacy-policy",
        "/privacy_policy.html",
        "/PrivacyPolicy",
        "/privacy-notice",
        "/privacy-statement",
        "/terms",
        "/terms-of-service",
        "/terms_of_use",
        "/termsofuse",
        "/terms-and-conditions",
        "/terms-%26-conditions",
        "/terms-conditions",
        "/terms-of-sale",
        "/faq",
        "/FAQ",
        "/faqs",
        "/faq.html",
        "/faq.en.html",
        "/faq;v=1",
        "/help/faq/billing",
        "/frequently-asked-questions",
        "/tag",
        "/tags",
        "/tag/python",
        "/blog/tags/python/",
        "/tag-cloud",
        "/%74ag",
    ],
)
def test_the_usual_forms_are_junk(path: str) -> None:
    assert JunkFilter().word(f"https://a.org{path}") in WORDS


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/contactless-payments",
        "/stage/",
        "/tag-helpers",
        "/contact-lenses",
        "/gitfaq.html",
        "/long-terms",
        "/terms-of-reference",
        "/privacy-engineering",
        "/tagging",
        "/stages.html",
        "/faqtory",
        "/3.11/",
        "/heritage",
        "/contacts-api/guide",
        "/docs?page=contact",
        "/docs/index.html",
    ],
)
def test_what_only_looks_like_it_is_not_junk(path: str) -> None:
    assert JunkFilter().word(f"https://a.org{path}") == ""


def test_a_host_is_never_junk() -> None:
    assert JunkFilter().word("https://contact/") == ""
    assert JunkFilter().word("https://privacy.org/x") == ""


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/x/Terms_Of_Use.html?y=1", "terms"),
        ("/contact-form", "contact"),
        ("/faqs/", "faq"),
        ("/Privacy", "privacy"),
        ("/tagged/x", "tag"),
    ],
)
def test_a_page_is_junk_by_a_word_of_the_pattern(path: str, word: str) -> None:
    assert JunkFilter().word(f"https://a.org{path}") == word


def test_a_word_that_is_kept_is_taken_out_of_the_pattern() -> None:
    junk = JunkFilter(kept_words=["faq", "tag"])
    assert junk.word("https://a.org/faq/install") == ""
    assert junk.word("https://a.org/faq/contact") == "contact"
    assert JunkFilter("(?P<news>news(-[0-9]+)?)|old", ["news"]).word("https://a.org/news-7") == ""


def test_a_word_that_the_pattern_does_not_have_is_refused() -> None:
    with pytest.raises(UnknownWordError, match=r"'fag' .* contact, faq, privacy, tag, terms"):
        JunkFilter(kept_words=["fag"])
    with pytest.raises(UnknownWordError, match="which has none"):
        JunkFilter("faq", ["faq"])


def test_the_pattern_of_the_specification_is_matched_in_full() -> None:
    junk = JunkFilter(SPECIFICATION_PATTERN)
    assert junk.word("https://a.org/Tag/x") == UNNAMED
    assert junk.word("https://a.org/stage") == ""


def test_an_empty_pattern_switches_the_filter_off() -> None:
    assert JunkFilter("").word("https://a.org/contact") == ""


def test_the_prefix_that_was_asked_for_is_not_judged() -> None:
    assert JunkFilter().word("https://a.org/faq/install.html", below="/faq/") == ""
    assert JunkFilter().word("https://a.org/faq/tags.html", below="/faq/") == "tag"


def test_a_wrong_pattern_is_named_with_its_value_and_the_cause() -> None:
    with pytest.raises(PatternError, match=r"JUNK_URL_PATTERN='\(faq' .*unterminated"):
        JunkFilter("(faq")
