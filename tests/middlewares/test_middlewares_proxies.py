"""Rotation in real crawls through real proxies."""

import base64
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

Crawl = Callable[..., Any]
StartProxy = Callable[..., Any]


def test_requests_go_through_the_proxies_and_stay_in_the_slot_of_their_site(
    site: str, proxy: StartProxy, crawl: Crawl
):
    proxies = [proxy(), proxy()]
    crawled = crawl(
        [f"{site}/{number % 9}" for number in range(20)],
        ROTATING_PROXY_LIST=[each.endpoint for each in proxies],
    )
    assert [page["status"] for page in crawled.seen] == [200] * 20
    assert all(each.requests for each in proxies)
    assert sum(len(each.requests) for each in proxies) == 20
    assert {page["slot"] for page in crawled.seen} == {urlsplit(site).hostname}
    assert crawled.stats["ragcrawler/proxies/good"] == 2


def test_a_dead_proxy_is_rotated_away_from(site: str, proxy: StartProxy, dead_endpoint: str, crawl: Crawl):
    alive = proxy()
    crawled = crawl(
        [f"{site}/{number % 9}" for number in range(12)], ROTATING_PROXY_LIST=[dead_endpoint, alive.endpoint]
    )
    assert [page["status"] for page in crawled.seen] == [200] * 12
    assert {page["proxy"] for page in crawled.seen} == {f"http://{alive.endpoint}"}
    assert {page["slot"] for page in crawled.seen} == {"localhost"}


def test_a_banned_proxy_is_rotated_away_from(site: str, proxy: StartProxy, crawl: Crawl):
    banned, alive = proxy(status=429), proxy()
    crawled = crawl(
        [f"{site}/{number % 9}" for number in range(12)],
        ROTATING_PROXY_LIST=[banned.endpoint, alive.endpoint],
    )
    assert [page["status"] for page in crawled.seen] == [200] * 12
    assert crawled.stats.get("ragcrawler/proxies/bans/429", 0) == len(banned.requests)
    assert crawled.stats.get("ragcrawler/proxies/retries", 0) == len(banned.requests)


def test_a_missing_page_costs_no_proxy(site: str, proxy: StartProxy, crawl: Crawl):
    only = proxy()
    crawled = crawl([f"{site}/missing", f"{site}/broken"], ROTATING_PROXY_LIST=[only.endpoint])
    assert sorted(page["status"] for page in crawled.seen) == [404, 500]
    assert len(only.requests) == 2
    assert crawled.stats["ragcrawler/proxies/dead"] == 0


def test_a_page_that_is_forbidden_everywhere_is_given_up(site: str, proxy: StartProxy, crawl: Crawl):
    only = proxy()
    crawled = crawl(
        [f"{site}/forbidden", f"{site}/1"],
        ROTATING_PROXY_LIST=[only.endpoint],
        ROTATING_PROXY_PAGE_RETRY_TIMES=2,
    )
    assert sorted(page["status"] for page in crawled.seen) == [200, 403]
    assert len(only.requests) == 3 + 1
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.parametrize(
    ("settings", "fewest", "most"),
    [
        ({"ROTATING_PROXY_CLOSE_SPIDER": True}, 1, 9),
        # Tried again for some rounds, here with hardly a pause between them.
        ({"ROTATING_PROXY_BACKOFF_BASE": 0.05, "ROTATING_PROXY_PAGE_RETRY_TIMES": 1000}, 10, 1000),
    ],
)
def test_the_spider_closes_when_no_proxy_answers(
    settings: dict[str, Any], fewest: int, most: int, site: str, dead_endpoint: str, crawl: Crawl
):
    urls = [f"{site}/{number}" for number in range(9)]
    crawled = crawl(urls, ROTATING_PROXY_LIST=[dead_endpoint], **settings)
    assert crawled.stats["finish_reason"] == "no_proxies"
    assert crawled.log.count("The crawl ends: none of the 1 proxies answers") == 1
    assert "Traceback" not in crawled.log
    assert {page["error"] for page in crawled.seen} <= {"NoProxiesError", "DownloadConnectionRefusedError"}
    assert fewest <= crawled.stats["downloader/request_count"] <= most


def test_credentials_reach_their_proxy_and_no_log(
    site: str, proxy: StartProxy, dead_endpoint: str, crawl: Crawl
):
    gateway, other = proxy(), proxy()
    crawled = crawl(
        [f"{site}/{number % 9}" for number in range(40)],
        ROTATING_PROXY_LIST=[
            f"http://first:geheim1@{gateway.endpoint}",
            f"http://second:geheim2@{gateway.endpoint}",
            f"http://third:geheim3@{dead_endpoint}",
            other.endpoint,
        ],
        LOG_LEVEL="DEBUG",
    )
    accounts = {base64.b64decode(header.removeprefix("Basic ")).decode() for header in gateway.requests}
    assert accounts == {"first:geheim1", "second:geheim2"}
    assert set(other.requests) == {""}
    assert [page["status"] for page in crawled.seen] == [200] * 40
    assert "geheim" not in crawled.log
    assert "geheim" not in str(crawled.seen) + str(crawled.stats)


def test_without_a_list_requests_go_directly(site: str, crawl: Crawl):
    crawled = crawl([f"{site}/1"])
    assert crawled.seen == [{"status": 200, "slot": "localhost", "proxy": None}]
    assert not [name for name in crawled.stats if name.startswith("ragcrawler/proxies")]


def test_a_policy_of_the_package_can_be_named(site: str, proxy: StartProxy, crawl: Crawl):
    only = proxy()
    crawled = crawl(
        [f"{site}/missing"],
        ROTATING_PROXY_LIST=[only.endpoint],
        ROTATING_PROXY_BAN_POLICY="rotating_proxies.policy.BanDetectionPolicy",
        ROTATING_PROXY_PAGE_RETRY_TIMES=1,
    )
    assert len(only.requests) == 2
    assert crawled.stats["ragcrawler/proxies/bans/404"] == 2
