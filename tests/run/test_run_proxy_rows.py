"""How proxies stand in the report."""

from ragcrawler.run.reporting.blocks import Numbers
from ragcrawler.run.reporting.stat_rows import proxy_rows


def test_states_come_first_and_then_each_proxy() -> None:
    stats = {
        "ragcrawler/proxies/by_proxy/http://b:1/bans": 2,
        "ragcrawler/proxies/by_proxy/http://a:1/responses": 7,
        "ragcrawler/proxies/good": 1,
        "ragcrawler/proxies/banned": 1,
        "ragcrawler/pages/other": 5,
    }
    assert list(Numbers(("", ""), proxy_rows(stats)).shown.items()) == [
        ("working at the end", 1),
        ("banned at the end", 1),
        ("http://a:1: responses", 7),
        ("http://b:1: bans", 2),
    ]


def test_a_crawl_without_proxies_has_no_rows() -> None:
    assert not any(proxy_rows({"ragcrawler/links/cut": 1}).values())
