"""Every control of every page is pressed once in Chromium, with a language model and without."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urldefrag, urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Response, Route, expect

from ragcrawler.config.server import server_config
from ragcrawler.server.app import make_app
from tests.live.pages import FILES, SERVED
from tests.server.conftest import RunningServer, running
from tests.server.library import settings

pytestmark = pytest.mark.live

CONTROLS = ":is(a[href], button, summary, select, input:not([type=hidden]))"
DISTINCT = f"{CONTROLS}:not(.hits > :nth-child(n + 3) *)"  # the third hit is like the two before it
FOR_PROGRAMS = ("/api/", "/health", "/metrics", "/openapi.json", "/mcp")
QUESTION = "rotate the logs"
# Somebody unfolded before what is folded; the link that skips the navigation is seen in focus alone.
REACH = """control => {
  let box = control.closest("details");
  if (control.matches("summary")) box = box.parentElement.closest("details");
  for (; box; box = box.parentElement.closest("details")) box.open = true;
  control.focus();
}"""
# Which of the selectors each control fits first, but for those that are there twice or not at this width.
KINDS = """(controls, selectors) => {
  const seen = new Set();
  return controls.map((control) => {
    if (seen.has(control.outerHTML) || getComputedStyle(control).display === "none") return null;
    seen.add(control.outerHTML);
    return selectors.find((selector) => control.matches(selector)) ?? control.outerHTML;
  });
}"""


@dataclass
class Visit:
    """A page in a browser, and what came of looking at it.

    Attributes:
        own: how the URLs begin that are ours.
        faults: what the console said, what scripts raised, and what a policy forbade.
        answers: to what was navigated.
        outside: what was asked of the web, each with the page that the request named.
    """

    page: Page
    own: str
    faults: list[str] = field(default_factory=list)
    answers: list[Response] = field(default_factory=list)
    outside: list[tuple[str, str | None]] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("response", self._note)
        self.page.route(lambda asked: not asked.startswith(self.own), self._answer)

    def _hear(self, said: ConsoleMessage) -> None:
        # In the report of a run no script runs, also none of this test's driver.
        if said.type == "error" and not said.text.startswith("Blocked script execution"):
            self.faults.append(said.text)

    def _note(self, answer: Response) -> None:
        if answer.request.is_navigation_request():
            self.answers.append(answer)

    def _answer(self, route: Route) -> None:
        self.outside.append((route.request.url, route.request.headers.get("referer")))
        route.fulfill(body="<title>elsewhere</title>", content_type="text/html")


class Press(Protocol):
    def __call__(self, visit: Visit, control: Locator) -> None: ...


def follow(visit: Visit, control: Locator) -> None:
    """A link leads to a page of ours, to text where programs read, or to the web, which is told nothing."""
    target = control.evaluate("link => link.href").partition(":~:")[0].removesuffix("#")
    control.click()
    expect(visit.page).to_have_url(target)
    if not target.startswith(visit.own):
        assert visit.outside[-1] == (urldefrag(target).url, None)
    elif target.startswith("http"):
        is_page = not urlsplit(target).path.startswith(FOR_PROGRAMS)
        assert is_answered(
            visit.answers[-1], *(("text/html",) if is_page else ("application/json", "text/plain"))
        )


def jump(visit: Visit, control: Locator) -> None:
    """A link within the page leads to something that is seen then."""
    control.click()
    expect(visit.page.locator(":target")).to_be_in_viewport()


def look_around(visit: Visit, control: Locator) -> None:
    control.click()
    expect(visit.page.locator(".neighbours .found")).to_be_visible()


def unfold(visit: Visit, control: Locator) -> None:
    """A summary folds and unfolds, and nothing else in it waits to be pressed."""
    box = control.locator("..")
    expect(control.locator(CONTROLS)).to_have_count(0)
    is_open = box.evaluate("box => box.open")
    for wanted in (not is_open, is_open):
        control.click()
        expect(box).to_have_js_property("open", wanted)


def unfold_all(visit: Visit, control: Locator) -> None:
    control.click()
    boxes = visit.page.locator(".lineage details")
    wanted = control.text_content() == "Unfold all"
    assert set(boxes.evaluate_all("boxes => boxes.map((box) => box.open)")) == {wanted}


def send(visit: Visit, control: Locator) -> None:
    """A button that sends a form brings what was asked for, as a page."""
    visit.page.locator("#q").fill(QUESTION)
    expect(visit.page.locator("[aria-busy=true]")).to_have_count(0)
    action = control.evaluate(
        "button => button.getAttribute('formaction') ?? button.form.getAttribute('action')"
    )
    with visit.page.expect_response(lambda answer: urlsplit(answer.url).path == action) as got:
        control.click()
    assert is_answered(got.value, "text/html")
    expect(visit.page.locator(".answer" if action == "/ask" else "#count")).to_be_visible()


def choose(visit: Visit, control: Locator) -> None:
    name, values = control.evaluate("box => [box.name, [...box.options].map((option) => option.value)]")
    control.select_option(values[-1])
    expect(visit.page).to_have_url(re.compile(rf"[?&]{name}={values[-1]}"))


def write(visit: Visit, control: Locator) -> None:
    """A word in a box is searched for at once, asked by Enter, or looked for in the rows of a table."""
    name, method = control.evaluate("box => [box.name, box.form?.method]")
    control.fill(QUESTION)
    if method is None:
        expect(visit.page.locator("tbody tr:visible")).to_have_count(0)
        return
    control.press("Enter")
    if method == "post":
        expect(visit.page.locator(".answer")).to_be_visible()
    else:
        expect(visit.page).to_have_url(re.compile(rf"[?&]{name}=rotate\+the\+logs"))


PRESSES: Mapping[str, Press] = {
    "a.around": look_around,
    "a[href^='#']": jump,
    "a": follow,
    "summary": unfold,
    "form button": send,
    ".tools button": unfold_all,
    "select": choose,
    "input": write,
}
"""By the first selector that fits; where none does, the control is of a new kind."""


def is_answered(answer: Response, *kinds: str) -> bool:
    return answer.status == 200 and answer.headers["content-type"].startswith(kinds)


@contextmanager
def visiting(browser: Browser, url: str, own: str) -> Iterator[Visit]:
    with browser.new_context() as context:
        visit = Visit(context.new_page(), own)
        visit.watch()
        visit.page.goto(url)
        yield visit
    assert visit.faults == []


def press_all(browser: Browser, url: str, own: str) -> None:
    """Each control; the page is opened anew where the one before left it or changed it."""
    with visiting(browser, url, own) as visit:
        controls = visit.page.locator(DISTINCT)
        kinds = controls.evaluate_all(KINDS, list(PRESSES))
        assert kinds or own.startswith("file:")  # a page of the server has its navigation
        for number, kind in enumerate(kinds):
            if kind is None:
                continue
            press, control = PRESSES[kind], controls.nth(number)
            control.evaluate(REACH)
            press(visit, control)
            if press not in {jump, unfold}:
                visit.page.goto(url)


@pytest.mark.parametrize("route", SERVED)
def test_every_control_of_a_page_of_the_server_works(
    browser: Browser, site: RunningServer, route: str
) -> None:
    for path in SERVED[route]:
        press_all(browser, site.url + path.removeprefix("/"), site.url)


def test_every_control_works_where_there_is_no_language_model(
    browser: Browser, site: RunningServer, plain_site: RunningServer
) -> None:
    """The pages that are the same with one need no second look."""
    looked_at = set()
    with site.client() as client, plain_site.client() as plain:
        for route, paths in SERVED.items():
            for path in paths:
                answer = plain.get(path)
                if answer.status_code == 404 and route == "/ask":
                    looked_at.add(path)
                elif answer.text.replace(plain_site.url, site.url) != client.get(path).text:
                    looked_at.add(path)
                    press_all(browser, plain_site.url + path.removeprefix("/"), plain_site.url)
    assert looked_at == {*SERVED["/"], *SERVED["/ask"]}


@pytest.mark.parametrize("name", FILES)
def test_every_control_of_a_file_works(browser: Browser, files: Path, name: str) -> None:
    press_all(browser, (files / name).as_uri(), files.as_uri())


def test_every_page_of_the_server_is_looked_at(site: RunningServer, tmp_path: Path) -> None:
    app = make_app(site.collection, server_config(settings(tmp_path), "127.0.0.1", 8000))
    paths = {getattr(route, "path", "") for route in app.routes}
    assert {path for path in paths if not path.startswith((*FOR_PROGRAMS, "/static/"))} == set(SERVED)


def test_the_keys_that_the_search_page_names_work(browser: Browser, site: RunningServer) -> None:
    with visiting(browser, site.url, site.url) as visit:
        page = visit.page
        named = set(page.locator("kbd").all_text_contents())
        assert named == {"/", "↓", "↑", "Enter", "Esc"}
        page.keyboard.press("Escape")
        page.locator("main a").first.focus()
        page.keyboard.press("/")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.type(QUESTION)
        expect(page.locator(".hit").first).to_contain_text("Rotate the logs")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        hits = page.locator(".hit .to")
        for key, place in (("Down", 0), ("Down", 1), ("Up", 0)):
            page.keyboard.press(f"Arrow{key}")
            expect(hits.nth(place)).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page).to_have_url("https://docs.example/guide#logs")


def test_a_refusal_is_a_page_that_needs_no_other_file(browser: Browser, tmp_path: Path) -> None:
    with (
        running(tmp_path, SERVER_REQUESTS_PER_SECOND=0.001) as server,
        browser.new_context(color_scheme="dark") as context,
    ):
        with server.client() as client:
            assert client.get("/health").status_code == 200  # the one request that is not too many
        visit = Visit(context.new_page(), server.url)
        visit.watch()
        visit.page.goto(server.url)
        visit.page.get_by_role("link", name="Try again").click()
        expect(visit.page).to_have_title("Too Many Requests")
        expect(visit.page.locator("body")).to_have_css("background-color", "rgb(20, 23, 28)")
        assert {each.partition(":")[0] for each in visit.faults} == {"Failed to load resource"}
