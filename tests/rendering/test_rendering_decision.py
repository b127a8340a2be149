"""The decision page by page: mode, what was learned, budget; and which requests of a page are answered."""

import pytest

from ragcrawler.rendering.browser_requests import BrowserRequest, Judgement, judge
from ragcrawler.rendering.budget import PageBudget
from ragcrawler.rendering.decision import Decision, RenderPolicy, speaks_for_scripts, url_template
from ragcrawler.rendering.reading import read_page

SHELL = b'<body><div id="root"></div><script src="/app.js"></script></body>'
TEXT = (
    b"<body><p>"
    + b"Water the seedlings in the early morning. " * 60
    + b"</p><script src='/a.js'></script></body>"
)
PLAIN = b"<body><p>Moved.</p></body>"
NO_LIMIT = 0


def policy(mode: str = "auto", pages: int = NO_LIMIT, pages_per_host: int = NO_LIMIT) -> RenderPolicy:
    return RenderPolicy(mode, PageBudget(pages, pages_per_host))  # type: ignore[arg-type]


def test_auto_renders_shells_alone() -> None:
    decided = policy()
    assert decided.decide("https://a.org/x", SHELL) is Decision.RENDER
    assert decided.decide("https://a.org/y", TEXT) is Decision.STATIC
    assert decided.decide("https://a.org/z", PLAIN) is Decision.STATIC


@pytest.mark.parametrize(("mode", "decision"), [("always", Decision.RENDER), ("never", Decision.STATIC)])
def test_always_and_never_do_not_look_at_the_page(mode: str, decision: Decision) -> None:
    for markup in (SHELL, TEXT, PLAIN):
        assert policy(mode).decide("https://a.org/x", markup) is decision


def test_pages_of_a_kind_that_never_gained_are_rendered_no_more() -> None:
    decided = policy()
    for number in range(3):
        assert decided.decide(f"https://a.org/note/{number}", SHELL) is Decision.RENDER
        assert not decided.learn(f"https://a.org/note/{number}", SHELL, SHELL)
    assert decided.decide("https://a.org/note/4", SHELL) is Decision.NEVER_GAINS
    assert decided.decide("https://a.org/other/4", SHELL) is Decision.RENDER


def test_a_page_that_fails_counts_as_one_that_did_not_gain() -> None:
    decided = policy()
    for number in range(3):
        decided.decide(f"https://a.org/stuck/{number}", SHELL)
        decided.record_failure(f"https://a.org/stuck/{number}")
    assert decided.decide("https://a.org/stuck/4", SHELL) is Decision.NEVER_GAINS


def test_pages_of_a_kind_that_always_gained_are_rendered_unseen() -> None:
    decided = policy()
    for number in range(3):
        decided.decide(f"https://a.org/item/{number}", SHELL)
        assert decided.learn(f"https://a.org/item/{number}", SHELL, TEXT)
    assert decided.decide("https://a.org/item/4", TEXT) is Decision.RENDER


def test_one_static_page_among_them_and_each_is_looked_at() -> None:
    decided = policy()
    assert decided.decide("https://a.org/mixed/static", TEXT) is Decision.STATIC
    for number in range(5):
        decided.decide(f"https://a.org/mixed/{number}", SHELL)
        decided.learn(f"https://a.org/mixed/{number}", SHELL, TEXT)
    assert decided.decide("https://a.org/mixed/text", TEXT) is Decision.STATIC
    assert decided.decide("https://a.org/mixed/shell", SHELL) is Decision.RENDER


def test_the_budget_holds_for_the_crawl_and_for_each_host() -> None:
    decided = policy(pages=3, pages_per_host=2)
    urls = [f"https://{host}.org/{number}" for host in "ab" for number in range(3)]
    decisions = [decided.decide(url, SHELL) for url in urls]
    spent, left = Decision.OVER_BUDGET, Decision.RENDER
    assert decisions == [left, left, spent, left, spent, spent]


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("https://a.org/", "a.org/"),
        ("https://a.org/shop/12/lamp-3.html?id=4", "a.org/shop/#/*.html?id"),
        ("https://a.org/shop/7/chair.html?id=", "a.org/shop/#/*.html?id"),
        ("https://a.org:8080/x?b=1&a=2&b=3", "a.org:8080/*?a&b"),
        ("https://a.org/v2.1/guide/", "a.org/v#.#/guide/"),
    ],
)
def test_pages_of_one_program_have_one_template(url: str, template: str) -> None:
    assert url_template(url) == template


PAGE = "https://a.org/app"
JSON = {"content_type": "application/json; charset=utf-8", "sent_bytes": 20}


@pytest.mark.parametrize(
    ("request_", "judgement"),
    [
        (BrowserRequest("https://cdn.org/app.js", kind="script"), Judgement("fetch")),
        (BrowserRequest("https://api.org/x", kind="xhr"), Judgement("fetch")),
        (BrowserRequest("https://a.org/x", method="HEAD"), Judgement("fetch")),
        (BrowserRequest("https://a.org/graphql", method="POST", **JSON), Judgement("fetch")),
        (BrowserRequest("https://b.org/graphql", method="POST", **JSON), Judgement("refuse", "method")),
        (BrowserRequest("http://a.org/graphql", method="POST", **JSON), Judgement("refuse", "method")),
        (
            BrowserRequest("https://a.org/g", "POST", "fetch", False, "application/json", 10**6),
            Judgement("refuse", "method"),
        ),
        (
            BrowserRequest(
                "https://a.org/buy", "POST", "fetch", False, "application/x-www-form-urlencoded", 9
            ),
            Judgement("refuse", "method"),
        ),
        (BrowserRequest("https://a.org/x", method="PUT", **JSON), Judgement("refuse", "method")),
        (BrowserRequest("https://a.org/x", method="DELETE"), Judgement("refuse", "method")),
        (BrowserRequest("https://a.org/x.css", kind="stylesheet"), Judgement("empty")),
        (BrowserRequest("https://a.org/x.png", kind="image"), Judgement("refuse", "image")),
        (BrowserRequest("https://a.org/x.woff", kind="font"), Judgement("refuse", "font")),
        (BrowserRequest("https://a.org/x.mp4", kind="media"), Judgement("refuse", "media")),
        (BrowserRequest("https://a.org/log", "POST", "ping"), Judgement("refuse", "ping")),
        (BrowserRequest("https://a.org/events", kind="eventsource"), Judgement("refuse", "eventsource")),
        (BrowserRequest("https://a.org/frame", kind="document"), Judgement("refuse", "document")),
        (BrowserRequest("file:///etc/passwd"), Judgement("refuse", "scheme")),
        (BrowserRequest("ftp://a.org/x", kind="script"), Judgement("refuse", "scheme")),
        (
            BrowserRequest("https://b.org/", kind="document", opens_page=True),
            Judgement("refuse", "navigation"),
        ),
    ],
)
def test_a_page_may_read_and_ask_its_own_site(request_: BrowserRequest, judgement: Judgement) -> None:
    assert judge(request_, PAGE, is_first=False) == judgement


def test_the_page_itself_is_answered_once() -> None:
    request = BrowserRequest(PAGE, kind="document", opens_page=True)
    assert judge(request, PAGE, is_first=True) == Judgement("page")
    assert judge(request, PAGE, is_first=False) == Judgement("refuse", "navigation")


PARAGRAPH = "<p>" + "Delivery is free for orders of fifty and more. " * 20 + "</p>"
SCRIPTS = "<script src='/a.js'></script>" * 8


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("<div id='app'></div>" + PARAGRAPH * 3 + SCRIPTS, True),
        ("<noscript>Please enable JavaScript.</noscript>" + PARAGRAPH + SCRIPTS, True),
        ("<ul class='results'></ul>" + PARAGRAPH + SCRIPTS, True),
        ("<ul class='results'></ul>" + PARAGRAPH + "<script src='/a.js'></script>", False),  # mostly text
        ("<ul class='results'><li>Lamp</li></ul>" + PARAGRAPH + SCRIPTS, False),  # no empty place
        ("<div id='app'></div>" + PARAGRAPH * 8 + SCRIPTS, False),  # text enough
        ("<div id='app'></div>" + PARAGRAPH, False),  # nothing to run
    ],
)
def test_the_markup_of_a_weak_page_speaks_for_scripts_or_does_not(body: str, verdict: bool) -> None:
    assert speaks_for_scripts(read_page(body.encode())) is verdict


WEAK = ("<ul class='results'></ul>" + PARAGRAPH + SCRIPTS).encode()


def test_weak_pages_are_rendered_within_the_budget_of_all() -> None:
    decided = policy(pages=2)
    assert decided.decide("https://a.org/shell", SHELL) is Decision.RENDER
    assert decided.decide("https://a.org/1", WEAK) is Decision.STATIC
    assert decided.decide_weak("https://a.org/1", WEAK) is Decision.RENDER
    assert decided.decide_weak("https://a.org/2", WEAK) is Decision.OVER_BUDGET
    assert decided.decide_weak("https://a.org/3", TEXT) is Decision.STATIC
    assert policy("never").decide_weak("https://a.org/1", WEAK) is Decision.STATIC


def test_a_kind_of_weak_pages_that_never_gains_is_rendered_no_more() -> None:
    decided = policy()
    for number in range(3):
        assert decided.decide_weak(f"https://a.org/weak/{number}", WEAK) is Decision.RENDER
        decided.learn_weak(f"https://a.org/weak/{number}", gained=False)
    assert decided.decide_weak("https://a.org/weak/4", WEAK) is Decision.NEVER_GAINS


def test_a_kind_of_weak_pages_that_always_gains_is_rendered_before_it_is_converted() -> None:
    decided = policy()
    for number in range(3):
        assert decided.decide(f"https://a.org/list/{number}", WEAK) is Decision.STATIC
        decided.learn_weak(f"https://a.org/list/{number}", gained=True)
    assert decided.decide("https://a.org/list/4", WEAK) is Decision.RENDER
