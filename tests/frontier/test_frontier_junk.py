import pytest

from ragcrawler.frontier.filters.junk import JunkFilter
from ragcrawler.urls.errors import PatternError

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
    assert JunkFilter().matches(f"https://a.org{path}") is not None


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
    assert JunkFilter().matches(f"https://a.org{path}") is None


def test_a_host_is_never_junk() -> None:
    assert JunkFilter().matches("https://contact/") is None
    assert JunkFilter().matches("https://privacy.org/x") is None


def test_the_segment_that_matched_is_given_as_it_stands() -> None:
    assert JunkFilter().matches("https://a.org/x/Terms_Of_Use.html?y=1") == "Terms_Of_Use.html"


def test_the_pattern_of_the_specification_is_matched_in_full() -> None:
    junk = JunkFilter(SPECIFICATION_PATTERN)
    assert junk.matches("https://a.org/Tag/x") == "Tag"
    assert junk.matches("https://a.org/stage") is None


def test_an_empty_pattern_switches_the_filter_off() -> None:
    assert JunkFilter("").matches("https://a.org/contact") is None


def test_the_prefix_that_was_asked_for_is_not_judged() -> None:
    assert JunkFilter().matches("https://a.org/faq/install.html", below="/faq/") is None
    assert JunkFilter().matches("https://a.org/faq/tags.html", below="/faq/") == "tags.html"


def test_a_wrong_pattern_is_named_with_its_value_and_the_cause() -> None:
    with pytest.raises(PatternError, match=r"JUNK_URL_PATTERN='\(faq' .*unterminated"):
        JunkFilter("(faq")
