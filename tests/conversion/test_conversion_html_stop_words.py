"""The extractor's stop words are made ready once a process, not once a page."""

from justext import core
from trafilatura import external

from ragcrawler.conversion import ConversionLimits
from ragcrawler.conversion.html import convert_html

SHORT = "<html><body><h1>Pumps</h1><p>They need a filter.</p></body></html>"


def convert_short() -> str:
    return convert_html(SHORT, "http://a.org/", ConversionLimits()).markdown


def test_pages_of_little_text_look_them_up_by_identity() -> None:
    first = convert_short()
    words = vars(external)["JT_STOPLIST"]
    assert hash(words) == object.__hash__(words)  # that of a tuple goes through all of them
    before = core.define_stoplist.cache_info()
    assert convert_short() == first
    after = core.define_stoplist.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)


def test_they_are_the_extractors_own() -> None:
    convert_short()
    words = external.JT_STOPLIST
    assert set(external.jt_stoplist_init()) == set(words or ())
    convert_short()
    assert core.define_stoplist(vars(external)["JT_STOPLIST"]) == {each.lower() for each in words or ()}
