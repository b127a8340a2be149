"""JavaScript on demand, without starting a browser."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from ragcrawler.config.crawling.javascript import JavaScriptConfig
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError
from ragcrawler.middlewares.address_guard.middleware import check_subresource
from ragcrawler.middlewares.javascript.browser.downloads import static_page
from ragcrawler.middlewares.javascript.browser.memory import tree_bytes
from ragcrawler.middlewares.javascript.browser.script_cache import ScriptCache
from ragcrawler.middlewares.javascript.browser.static_page import Rendering, ResourceResponse
from ragcrawler.middlewares.javascript.middleware import rendered_response
from ragcrawler.middlewares.login import LoginMiddleware
from ragcrawler.rendering.chromium import BrowserMissing, find_chromium, launch_options, start_failure
from ragcrawler.run.meta_keys import PAGE_RESOURCE, RENDERED
from ragcrawler.urls.address_guard import UnsafeAddressError
from ragcrawler.urls.links.page_links import extract_links
from ragcrawler.urls.logins import Logins


def test_the_settings_of_the_project_are_read() -> None:
    config = JavaScriptConfig.from_settings(project_settings())
    assert (config.mode, config.concurrent_pages, config.browser_bytes) == ("auto", 2, 2**30)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JAVASCRIPT", "sometimes"),
        ("JAVASCRIPT_MAX_PAGES", -1),
        ("JAVASCRIPT_CONCURRENT_PAGES", 0),
        ("JAVASCRIPT_PAGE_TIMEOUT_SECONDS", "soon"),
        ("JAVASCRIPT_MAX_MEMORY_MEBIBYTES", 10),
        ("JAVASCRIPT_MIN_QUALITY", 1.5),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name(name: str, value: Any) -> None:
    with pytest.raises(SettingError, match=f"^{name} is {value!r}"):
        JavaScriptConfig.from_settings(project_settings() | {name: value})


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_browser_is_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrowserMissing, match="set CHROMIUM_PATH"):
        find_chromium("")
    chrome = program(tmp_path, "google-chrome")
    assert find_chromium("") == str(chrome)
    chromium = program(tmp_path, "chromium")
    assert find_chromium("") == str(chromium)
    assert find_chromium(str(chrome)) == str(chrome)


def test_a_browser_that_is_no_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(BrowserMissing, match=f"CHROMIUM_PATH is '{tmp_path}'"):
        find_chromium(str(tmp_path))


def test_a_browser_has_no_network_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_API_KEY", "secret")
    options = launch_options("/usr/bin/chromium", "--mark")
    assert "secret" not in str(options)
    assert {"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-bypass-list=<-loopback>", "--mark"} <= set(
        options["args"]
    )
    assert options["chromium_sandbox"] is (os.geteuid() != 0)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "BrowserType.launch: closed\n[pid=1][err] [1:1:FATAL:x.cc(3)] Socket path too long\n",
            "Socket path too",
        ),
        ("BrowserType.launch: closed\nBrowser logs:\nChromium sandboxing failed!\n", "user namespaces"),
        ("BrowserType.launch: no such file", "no such file"),
        ("", "does not start"),
    ],
)
def test_why_a_browser_does_not_start_is_said_in_a_line(message: str, said: str) -> None:
    reason = start_failure(message)
    assert said in reason
    assert "\n" not in reason


def test_memory_is_that_of_the_marked_process_and_its_children() -> None:
    code = (
        "import subprocess; print('started', flush=True); "
        "subprocess.run(['sleep', '60'], stdout=subprocess.DEVNULL)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, "--mark=of-this-test"], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        assert tree_bytes("--mark=of-this-test") > 2**20
    finally:
        process.kill()
        process.communicate()
    assert tree_bytes("--mark=of-this-test") == 0


def reply(size: int, **headers: str) -> ResourceResponse:
    return ResourceResponse(200, headers, b"x" * size)


def test_scripts_are_kept_up_to_a_limit_the_unused_go_first() -> None:
    cache = ScriptCache(max_bytes=100)
    cache.put("a", reply(40))
    cache.put("b", reply(40))
    assert cache.get("a") is not None
    cache.put("c", reply(40))
    assert [name for name in "abc" if cache.get(name)] == ["a", "c"]
    cache.put("a", reply(90))
    assert [name for name in "abc" if cache.get(name)] == ["a"]


@pytest.mark.parametrize(
    "kept", [ResourceResponse(404, {}, b"x"), ResourceResponse(200, {"cache-control": "no-store"}, b"x")]
)
def test_a_script_that_was_not_found_or_must_not_be_kept_is_not_kept(kept: ResourceResponse) -> None:
    cache = ScriptCache()
    cache.put("a", kept)
    assert cache.get("a") is None


def sent(**headers: str) -> HtmlResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HtmlResponse("https://a.org/x", headers=named, body=b"<p>\xe4</p>", encoding="latin-1")


def test_a_browser_gets_the_page_as_it_was_sent_but_for_cookies_and_the_transfer() -> None:
    page = static_page(sent(Content_Type="text/html; charset=latin-1", Set_Cookie="a=1", Content_Length="3"))
    assert page.headers == {"content-type": "text/html; charset=latin-1"}
    assert page.body == b"<p>\xe4</p>"


@pytest.mark.parametrize(
    ("page_url", "url", "reason"),
    [
        ("https://a.org/x", "https://cdn.org/y.js", ""),
        ("http://10.0.0.1:8080/x", "http://10.0.0.1:8080/y", ""),
        ("http://10.0.0.1:8080/x", "http://10.0.0.1:8081/y", "private_address"),
        ("https://a.org/x", "http://10.0.0.1:8080/y", "private_address"),
        ("https://a.org/x", "http://localhost/y", "private_address"),
        ("https://a.org/x", "https://user:password@b.org/y", "unsafe_url"),
    ],
)
def test_a_page_reaches_no_private_address_but_its_own(page_url: str, url: str, reason: str) -> None:
    """Though the operator may have named them all: one site's scripts have no business at another."""
    request = Request(url, meta={PAGE_RESOURCE: page_url})
    if not reason:
        check_subresource(request)
        return
    with pytest.raises(UnsafeAddressError) as refused:
        check_subresource(request)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("page_url", "sent"), [("https://a.org/page", b"Bearer x"), ("https://b.org/page", None)]
)
def test_a_login_goes_with_the_scripts_of_its_own_site_alone(page_url: str, sent: bytes | None) -> None:
    logins = LoginMiddleware(Logins.parse("", '{"a.org": {"Authorization": "Bearer x"}}'))
    request = Request("https://a.org/api", meta={PAGE_RESOURCE: page_url})
    logins.process_request(request)
    assert request.headers.get("Authorization") == sent


def test_a_rendered_page_is_utf_8_without_the_validators_of_its_shell() -> None:
    response = rendered_response(
        sent(
            ETag='"1"', Last_Modified="now", Content_Type="text/html; charset=latin-1", X_Robots_Tag="noindex"
        ),
        Rendering("<p>Grün \ud800</p>"),
    )
    assert response.body == "<p>Grün ?</p>".encode()
    assert response.headers["Content-Type"] == b"text/html; charset=utf-8"
    assert response.headers["X-Robots-Tag"] == b"noindex"
    assert "ETag" not in response.headers
    assert "Last-Modified" not in response.headers
    assert RENDERED in response.flags


def test_where_a_page_wanted_to_go_is_a_link_of_it() -> None:
    response = rendered_response(sent(), Rendering("<p>Moved</p>", 'https://a.org/new?a=1&b="2"'))
    assert list(extract_links(response.body, "https://a.org/x")) == ["https://a.org/new?a=1&b=%222%22"]
