"""Five engines, three layouts each, eight situations: the exact list of URLs, their order, and the state."""

import pytest

from ragcrawler.search_engines.answer import SearchState
from ragcrawler.search_engines.definitions import DEFINITIONS
from ragcrawler.search_engines.engine import EngineReply
from ragcrawler.search_engines.pages.html_engine import HtmlEngine
from ragcrawler.search_engines.pages.unwrapping import LinkReader
from ragcrawler.search_engines.query import SearchQuery
from tests.search_engines.pages import (
    FIXTURES,
    LAYOUTS,
    RETRY_AFTER,
    SITUATIONS,
    URLS,
    make_page,
    without_hooks,
    wrapped,
)

ENGINES = {name: HtmlEngine(definition) for name, definition in DEFINITIONS.items()}


def page_url(engine: str) -> str:
    return ENGINES[engine].request(SearchQuery("query"), 1).url


def test_each_engine_has_a_folder_of_at_least_three_layouts() -> None:
    assert {path.name for path in FIXTURES.iterdir()} == set(DEFINITIONS)
    assert all(sum(name == engine for name, _ in LAYOUTS) >= 3 for engine in DEFINITIONS)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize(("engine", "layout"), LAYOUTS)
def test_a_page_gives_its_exact_urls_and_state(engine: str, layout: str, situation: str) -> None:
    answer = ENGINES[engine].read(make_page(engine, layout, situation).reply(page_url(engine)))
    assert answer.state is SITUATIONS[situation]
    found = [result.url for result in answer.results]
    assert found == (list(URLS) if situation in ("results", "wrapped", "ads") else [])
    assert answer.alarm == ""
    assert answer.pause_seconds == (RETRY_AFTER if situation == "too_many" else None)


@pytest.mark.parametrize(("engine", "layout"), LAYOUTS)
def test_a_result_has_its_title_and_snippet(engine: str, layout: str) -> None:
    first = ENGINES[engine].read(make_page(engine, layout, "results").reply(page_url(engine))).results[0]
    assert first.title == "The title of page 0"
    assert "A text on subject 0" in first.snippet or layout == "lite"  # its text is in another row
    assert "subject 1" not in first.snippet


@pytest.mark.parametrize(("engine", "layout"), LAYOUTS)
def test_a_page_that_was_redesigned_has_changed_its_layout_and_is_not_empty(engine: str, layout: str) -> None:
    body = without_hooks(make_page(engine, layout, "results").body)
    answer = ENGINES[engine].read(EngineReply(page_url(engine), 200, {}, body))
    assert (answer.state, answer.results) == (SearchState.LAYOUT_CHANGED, ())


@pytest.mark.parametrize("engine", DEFINITIONS)
def test_a_page_that_says_nothing_is_not_empty_either(engine: str) -> None:
    for body in ("", "<html></html>", "<p>Welcome back.</p>", "\x00<<<>", "<p>" + "<b>" * 5_000):
        answer = ENGINES[engine].read(EngineReply(page_url(engine), 200, {}, body))
        assert answer.state is SearchState.LAYOUT_CHANGED


@pytest.mark.parametrize("engine", DEFINITIONS)
def test_one_result_is_enough(engine: str) -> None:
    layout = next(layout for name, layout in LAYOUTS if name == engine)
    answer = ENGINES[engine].read(make_page(engine, layout, "results", URLS[:1]).reply(page_url(engine)))
    assert [result.url for result in answer.results] == [URLS[0]]


def test_links_that_repeat_beside_the_located_ones_raise_an_alarm() -> None:
    page = make_page("google", "desktop", "results")
    more = "".join(
        f'<div><a href="https://new{number}.example/"><h3>A new kind of result</h3></a>'
        f"<p>With a text that is long enough for it.</p></div>"
        for number in range(8)
    )
    body = page.body.replace('<div role="main">', f'<div role="main"><div>{more}</div>')
    answer = ENGINES["google"].read(EngineReply(page_url("google"), 200, {}, body))
    assert answer.state is SearchState.OK
    assert len(answer.results) == len(URLS)
    assert answer.alarm.startswith("8 more links look like results")


def test_locators_that_find_other_links_than_those_that_repeat_are_out_of_date() -> None:
    page = make_page("google", "desktop", "results")
    body = page.body.replace('id="rso"', "").replace('id="search"', "").replace("<h3", "<h4")
    body = body.replace(
        '<div role="main">', '<div role="main"><a href="https://odd.example/"><h3>Odd</h3></a>'
    )
    answer = ENGINES["google"].read(
        EngineReply(page_url("google"), 200, {}, body.replace("</h3>", "</h4>", 6))
    )
    assert answer.state is SearchState.LAYOUT_CHANGED


@pytest.mark.parametrize(
    ("engine", "url", "state"),
    [
        ("google", "https://www.google.com/sorry/index?continue=x", SearchState.CAPTCHA),
        ("google", "https://consent.google.com/m?continue=x", SearchState.CONSENT),
        ("bing", "https://www.bing.com/challenge/verify", SearchState.CAPTCHA),
        ("brave", "https://search.brave.com/captcha?next=x", SearchState.CAPTCHA),
    ],
)
def test_where_a_redirect_leads_tells_captcha_and_consent(engine: str, url: str, state: SearchState) -> None:
    assert ENGINES[engine].read(EngineReply(url, 200, {}, "<p>Hello</p>")).state is state


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (202, SearchState.BLOCKED),
        (403, SearchState.BLOCKED),
        (503, SearchState.BLOCKED),
        (404, SearchState.FAILED),
        (500, SearchState.FAILED),
    ],
)
def test_a_status_that_is_not_200_is_never_an_answer(status: int, state: SearchState) -> None:
    page = make_page("bing", "desktop", "results")
    assert ENGINES["bing"].read(EngineReply(page_url("bing"), status, {}, page.body)).state is state


@pytest.mark.parametrize(
    ("engine", "href", "url"),
    [
        *((engine, wrapped(engine, URLS[0]), URLS[0]) for engine in DEFINITIONS),
        ("google", "/url?q=/url%3Fq%3Dhttps%253A%252F%252Fa.example%252F", "https://a.example/"),
        ("google", "/url?q=javascript%3Aalert(1)", ""),
        ("google", "/url?q=%2Furl%3Fq%3Dfile%3A%2F%2F%2Fetc%2Fpasswd", ""),
        ("google", "/aclk?adurl=https://a.example/", ""),
        ("google", "https://accounts.google.com/", ""),
        ("google", "https://notgoogle.com/", "https://notgoogle.com/"),
        ("bing", "/ck/a?u=a1%%%", ""),
        ("bing", "/ck/a?u=a1" + "4" * 9_000, ""),
        ("bing", "/ck/a", ""),
        ("duckduckgo", "/y.js?ad_domain=a.example&uddg=https://a.example/", ""),
        ("brave", "http://[bad/", ""),
        ("mojeek", "mailto:a@b.example", ""),
    ],
)
def test_links_are_unwrapped_and_those_of_the_engine_are_none(engine: str, href: str, url: str) -> None:
    assert LinkReader(DEFINITIONS[engine], page_url(engine)).outside_url(href) == url


@pytest.mark.parametrize(
    ("engine", "page", "expected"),
    [
        ("google", 1, "https://www.google.com/search?q=a+b+site%3Ac.example&ie=utf8&oe=utf8"),
        ("google", 3, "https://www.google.com/search?q=a+b+site%3Ac.example&ie=utf8&oe=utf8&start=20"),
        ("bing", 2, "https://www.bing.com/search?q=a+b+site%3Ac.example&pq=a+b+site%3Ac.example&first=11"),
        ("brave", 2, "https://search.brave.com/search?q=a+b+site%3Ac.example&source=web&offset=1"),
        ("mojeek", 3, "https://www.mojeek.com/search?q=a+b+site%3Ac.example&s=21"),
        ("duckduckgo", 1, "https://duckduckgo.com/?q=a+b+site%3Ac.example&ia=web"),
    ],
)
def test_pages_have_their_addresses(engine: str, page: int, expected: str) -> None:
    assert ENGINES[engine].request(SearchQuery("a b", site="c.example"), page).url == expected


@pytest.mark.parametrize("engine", DEFINITIONS)
@pytest.mark.parametrize("since", ["day", "week", "month", "year"])
def test_every_engine_knows_every_time_range(engine: str, since: str) -> None:
    plain = ENGINES[engine].request(SearchQuery("a"), 1)
    dated = ENGINES[engine].request(SearchQuery("a", since=since, language="pt-BR"), 1)  # type: ignore[arg-type]
    assert dated.url != plain.url
    assert "{" not in dated.url
    assert dated.headers == {"Accept-Language": "pt-BR"}


@pytest.mark.parametrize(("links", "state"), [(4, SearchState.EMPTY), (5, SearchState.LAYOUT_CHANGED)])
@pytest.mark.parametrize("engine", DEFINITIONS)
def test_five_links_out_of_the_engine_count_for_more_than_a_sign_of_emptiness(
    engine: str, links: int, state: SearchState
) -> None:
    layout = next(layout for name, layout in LAYOUTS if name == engine)
    anchors = "".join(f'<p><a href="{url}">x</a></p>' for url in URLS[:links])
    body = make_page(engine, layout, "empty").body.replace("</body>", f"{anchors}</body>")
    assert ENGINES[engine].read(EngineReply(page_url(engine), 200, {}, body)).state is state
