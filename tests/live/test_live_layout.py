"""Every page on a phone and on a screen, light and dark.

    pytest tests/live/test_live_layout.py --screenshots FOLDER

leaves a picture of each, to be looked at.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.live.pages import FILES, SERVED
from tests.server.conftest import RunningServer

pytestmark = pytest.mark.live


@pytest.fixture(params=[360, 1280], ids="{} px".format)
def width(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, width: int, request: pytest.FixtureRequest) -> Iterator[Page]:
    with browser.new_context(color_scheme=request.param, viewport={"width": width, "height": 740}) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def addresses(site: RunningServer, files: Path) -> dict[str, str]:
    """All pages, by a name for each."""
    served = {path: site.url + path.removeprefix("/") for paths in SERVED.values() for path in paths}
    written = {name: (files / name).as_uri() for name in FILES}
    return {**served, "/nowhere": f"{site.url}nowhere", **written}


def test_every_page_fits_and_is_accessible(
    page: Page, addresses: dict[str, str], request: pytest.FixtureRequest
) -> None:
    folder: Path | None = request.config.getoption("--screenshots", None)
    wrong = []
    for name, address in addresses.items():
        page.goto(address)
        wrong += [f"{name}: {each}" for each in faults(page)]
        if folder:
            file = f"{re.sub(r'[^a-z0-9]+', '-', name)}-{request.node.callspec.id.replace(' ', '')}.png"
            page.screenshot(path=folder / file, full_page=True)
    assert wrong == []


@pytest.mark.parametrize("width", [360], indirect=True)
def test_on_a_phone_the_question_has_room_and_the_filters_fold(page: Page, site: RunningServer) -> None:
    page.goto(site.url)
    box, ask = page.locator("#q").bounding_box(), page.get_by_role("button", name="Ask the model")
    assert box
    assert box["width"] >= 220
    expect(ask).to_be_in_viewport()
    form = page.locator("#search").bounding_box()
    assert form
    assert form["height"] <= 150
    kind = page.get_by_label("Kind")
    expect(kind).to_be_hidden()
    page.get_by_text("Filters").click()
    kind.select_option("code")
    expect(page).to_have_url(f"{site.url}?kind=code")
    assert list(faults(page)) == []
    page.reload()
    expect(kind).to_be_visible()  # a filter that is on is seen


@pytest.mark.parametrize("width", [1280], indirect=True)
def test_on_a_screen_the_filters_stand_open(page: Page, site: RunningServer) -> None:
    page.goto(site.url)
    expect(page.get_by_label("Kind")).to_be_visible()
    expect(page.get_by_text("Filters")).to_be_hidden()


def faults(page: Page) -> Iterator[str]:
    """What is wider than the screen, and what axe-core finds."""
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        yield "wider than the screen"
    # Where a server shows the report of a run no script runs, so not axe-core either: the file is looked at.
    if page.url.startswith("http") and page.url.endswith("report.html"):
        return
    for each in Axe().run(page).response["violations"]:
        if each["id"] != "meta-refresh":  # which shows how a research goes
            yield f"{each['id']}, {each['help']}: {each['nodes'][0]['html'][:200]}"
