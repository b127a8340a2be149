"""What a name resolves to is judged once, and what was judged is what is connected to."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver
from zope.interface import implementer

from ragcrawler.middlewares.address_guard.guarded_resolver import GuardedAsyncioResolver, GuardedResolver
from ragcrawler.urls.address_guard import AddressGuard
from tests.warm_python import Python, completed

PUBLIC = "8.8.8.8"


@implementer(IHostnameResolver)
class Rebinding:
    """A name server that answers with the next of its answers each time."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    def resolveHostName(self, receiver: Any, host: str, port: int = 0, *_: Any) -> Any:  # noqa: N802
        receiver.resolutionBegan(self)
        for address in self.answers.pop(0):
            kind = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, port))
        receiver.resolutionComplete()
        return self

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[dict[str, Any]]:
        return [{"hostname": host, "host": address, "port": port} for address in self.answers.pop(0)]

    async def close(self) -> None:
        self.answers = []


class Received:
    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.completions = 0

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        assert self.addresses == []

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.addresses.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        self.completions += 1


def resolved(names: GuardedResolver, host: str, port: int = 443) -> list[str]:
    received = Received()
    names.resolveHostName(received, host, port)
    assert received.completions == 1
    return received.addresses


def guarded(resolver: Rebinding, *guards: AddressGuard) -> GuardedResolver:
    names = GuardedResolver(resolver)
    names.guards.extend(guards)
    return names


def test_public_addresses_are_handed_on() -> None:
    names = guarded(Rebinding([PUBLIC, "2606:4700:4700::1111"]), AddressGuard())
    assert resolved(names, "a.org") == [PUBLIC, "2606:4700:4700::1111"]


@pytest.mark.parametrize("private", ["127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::a00:1"])
def test_one_private_address_refuses_the_name(private: str) -> None:
    assert resolved(guarded(Rebinding([PUBLIC, private]), AddressGuard()), "a.org") == []


def test_a_name_server_that_changes_its_mind_is_not_asked_twice_for_one_connection() -> None:
    resolver = Rebinding([PUBLIC], ["127.0.0.1"])
    names = guarded(resolver, AddressGuard())
    assert resolved(names, "a.org") == [PUBLIC]
    assert len(resolver.answers) == 1
    assert resolved(names, "a.org") == []


def test_each_crawl_has_its_own_named_hosts() -> None:
    guards = AddressGuard(["http://wiki.corp:8000/"]), AddressGuard(["http://other.corp:8000/"])
    names = guarded(Rebinding(["10.0.0.1"], ["10.0.0.1"]), *guards)
    assert resolved(names, "wiki.corp", 8000) == ["10.0.0.1"]
    assert resolved(names, "wiki.corp", 8001) == []


def test_without_a_crawl_the_reactor_resolves_as_ever() -> None:
    assert resolved(guarded(Rebinding(["127.0.0.1"])), "localhost") == ["127.0.0.1"]


async def test_without_a_reactor_the_same_holds() -> None:
    names = GuardedAsyncioResolver(Rebinding([PUBLIC], [PUBLIC, "10.0.0.1"]), AddressGuard())  # type: ignore[arg-type]
    assert [result["host"] for result in await names.resolve("a.org", 443)] == [PUBLIC]
    with pytest.raises(OSError, match=r"a\.org has an address that is not public"):
        await names.resolve("a.org", 443)


_CRAWL = """
import json, sys
from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer
from twisted.internet.error import DNSLookupError
from ragcrawler.config.defaults import project_settings

named, urls, settings = json.load(sys.stdin)
ended = {}
lookups = []

class Names(CachingThreadedResolver):
    def getHostByName(self, name, timeout=()):
        lookups.append(name)
        if name.startswith("private") or name == "127.0.0.1":
            return defer.succeed("127.0.0.1")
        return defer.fail(DNSLookupError(name))

class Asking(Spider):
    name = "asking"
    start_urls = [named]

    async def start(self):
        for url in urls:
            yield Request(url, self.parse, errback=self.lost, dont_filter=True, cb_kwargs={"asked": url})

    def parse(self, response, asked):
        ended[asked] = response.status

    def lost(self, failure):
        error = failure.value
        ended[failure.request.cb_kwargs["asked"]] = getattr(error, "reason", type(error).__name__)

process = AsyncCrawlerProcess({
    **project_settings(), "DOWNLOAD_DELAY": 0, "AUTOTHROTTLE_ENABLED": False, "ITEM_PIPELINES": {},
    "EXTENSIONS": {}, "FEEDS": {}, "TWISTED_DNS_RESOLVER": Names, **settings,
})
process.crawl(Asking)
process.start()
print(json.dumps({"ended": ended, "lookups": lookups}))
"""


class Counting(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.paths.append(self.path)  # type: ignore[attr-defined]
        self.send_response(302 if self.path.startswith("/to/") else 200)
        if self.path.startswith("/to/"):
            self.send_header("Location", self.path.removeprefix("/to/"))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def servers() -> Iterator[list[ThreadingHTTPServer]]:
    started = [ThreadingHTTPServer(("127.0.0.1", 0), Counting) for _ in range(2)]
    for server in started:
        server.paths = []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield started
    for server in started:
        server.shutdown()
        server.server_close()


def crawl(python: Python, named: str, urls: list[str], **settings: Any) -> dict[str, Any]:
    finished = completed(python("-c", _CRAWL, text=json.dumps([named, urls, settings])))
    assert finished.returncode == 0, finished.stderr
    return dict(json.loads(finished.stdout.splitlines()[-1]))


def test_on_a_reactor_nothing_private_is_reached_but_what_was_named(
    python: Python, servers: list[ThreadingHTTPServer], tmp_path: Any
) -> None:
    site, secret = servers
    named = f"http://127.0.0.1:{site.server_port}"
    port = secret.server_port
    private = [
        f"http://private.example:{port}/",
        f"http://127.0.0.1:{port}/",
        f"http://localhost:{port}/",
        f"http://127.0.0.1.:{port}/",
    ]
    asked = {
        f"{named}/": 200,
        "http://unknown.example/": "CannotResolveHostError",
        "file:///etc/hostname": "unsafe_url",
        f"{named}/to/file:///etc/hostname": "unsafe_url",
        f"{named}/to/http://anna:secret@127.0.0.1:{port}/": "unsafe_url",
        f"{named}/to/http://2130706433:{port}/": "unsafe_url",
        f"{named}/to/http://[": "unsafe_url",
        f"http://[::ffff:127.0.0.1]:{port}/": "private_address",
        **dict.fromkeys(private, "private_address"),
        **{f"{named}/to/{url}": "private_address" for url in private},
        f"{named}/to/{named}/to/http://private.example:{port}/": "private_address",
    }
    result = crawl(python, named, list(asked), OUTPUT_DIR=str(tmp_path), RETRY_ENABLED=False)
    assert result["ended"] == asked
    assert secret.paths == []  # type: ignore[attr-defined]
    assert "/robots.txt" in site.paths  # type: ignore[attr-defined]


def test_what_is_fetched_by_hand_may_be_private_and_what_it_leads_to_may_not(
    python: Python, servers: list[ThreadingHTTPServer], tmp_path: Any
) -> None:
    site, secret = servers
    for target in ("", f"to/http://127.0.0.1:{secret.server_port}/"):
        program = python(
            *("-m", "scrapy", "fetch", "--headers"),
            *("-s", f"OUTPUT_DIR={tmp_path}", "-s", "ROBOTSTXT_OBEY=False"),
            f"http://127.0.0.1:{site.server_port}/{target}",
        )
        fetched = completed(program)
        assert ("< Content-Length: 0" in fetched.stdout) == (not target), fetched.stderr
    assert secret.paths == []  # type: ignore[attr-defined]


def test_a_refused_name_is_not_tried_again(
    python: Python, servers: list[ThreadingHTTPServer], tmp_path: Any
) -> None:
    site, secret = servers
    url = f"http://private.example:{secret.server_port}/"
    result = crawl(
        python, f"http://127.0.0.1:{site.server_port}", [url], OUTPUT_DIR=str(tmp_path), ROBOTSTXT_OBEY=False
    )
    assert result == {"ended": {url: "private_address"}, "lookups": ["private.example"]}


def test_through_a_proxy_names_are_judged_and_left_to_it(
    python: Python, servers: list[ThreadingHTTPServer], tmp_path: Any
) -> None:
    proxy, secret = servers
    public, private = "http://somewhere.example/", "http://metadata.google.internal/"
    literal = f"http://127.0.0.1:{secret.server_port}/"
    result = crawl(
        python,
        "http://named.example/",
        [public, private, literal, f"http://127.0.0.1:{proxy.server_port}/"],
        OUTPUT_DIR=str(tmp_path),
        ROTATING_PROXY_LIST=f"127.0.0.1:{proxy.server_port}",
        ROBOTSTXT_OBEY=False,
    )
    assert result["ended"] == {
        public: 200,
        private: "private_address",
        literal: "private_address",
        f"http://127.0.0.1:{proxy.server_port}/": "private_address",
    }
    assert set(result["lookups"]) <= {"127.0.0.1"}
    assert proxy.paths == [public]  # type: ignore[attr-defined]
    assert secret.paths == []  # type: ignore[attr-defined]
