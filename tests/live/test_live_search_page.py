"""The search page in Chromium: by keyboard alone, without scripts, and for a screen reader."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.server.conftest import RunningServer, running
from tests.server.library import fill

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    output = tmp_path_factory.mktemp("library")
    fill(output)
    with running(output) as started:
        yield started


@pytest.fixture
def page(browser: Browser, site: RunningServer) -> Iterator[Page]:
    """The search page; an error of its script, or what its policy forbids, fails the test."""
    opened = browser.new_page()
    faults: list[str] = []
    opened.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto(site.url)
    yield opened
    opened.close()
    assert faults == []


def test_hits_come_while_one_types_and_arrows_go_through_them(page: Page) -> None:
    question, links = page.locator("#q"), page.locator(".hit .to")
    expect(question).to_be_focused()
    page.keyboard.type("rotate the logs")
    expect(page.locator(".hit").first).to_contain_text("Rotate the logs")
    expect(page).to_have_url(re.compile(r"/\?q=rotate\+the\+logs$"))
    expect(page.locator("#results")).to_have_attribute("aria-busy", "false")
    for key, place in (
        ("ArrowDown", links.first),
        ("ArrowDown", links.nth(1)),
        ("ArrowUp", links.first),
        ("ArrowUp", question),
        ("ArrowDown", links.first),
        ("Escape", question),
    ):
        page.keyboard.press(key)
        expect(place).to_be_focused()
    assert links.first.get_attribute("href") == "https://docs.example/guide#logs"  # where Enter goes
    page.keyboard.press("Escape")
    expect(question).to_have_value("")
    expect(links).to_have_count(0)


def test_neighbours_open_and_close_by_enter_and_a_slash_leads_back(page: Page) -> None:
    page.keyboard.type("rotate the logs")
    expect(page).to_have_url(re.compile(r"/\?q=rotate\+the\+logs$"))
    expect(page.locator("#results")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".around").first).to_be_visible()
    page.locator(".around").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".neighbours")).to_contain_text("Install the package")
    page.keyboard.press("Enter")
    expect(page.locator(".neighbours")).to_have_count(0)
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()


def test_it_works_without_scripts(browser: Browser, site: RunningServer) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url)
    page.fill("#q", "rotate the logs")
    page.select_option("[name=kind]", "code")
    page.click("button")
    expect(page.locator(".hit")).to_have_count(1)
    page.click("text=Around it")
    expect(page.locator(".found")).to_contain_text("logrotate -f")
    page.click("text=Whole document")
    expect(page.locator("section")).to_have_count(4)
    context.close()


@pytest.mark.parametrize(
    ("scheme", "paths"),
    [
        ("light", ["?q=rotate+logs", "document/hostile?q=rotate"]),
        ("dark", ["?q=rotate+logs"]),
    ],
)
def test_it_is_accessible_and_fits_a_phone(
    browser: Browser, site: RunningServer, scheme: str, paths: list[str]
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 360, "height": 740})
    page = context.new_page()
    for path in paths:
        page.goto(site.url + path)
        found = Axe().run(page).response["violations"]
        assert [(each["id"], each["impact"], each["help"]) for each in found] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
