"""Which proxies are chosen, and how their states are counted."""

from ragcrawler.config.crawling.proxies import ProxyConfig
from ragcrawler.middlewares.proxies.rotation import ProxyRotation

_CONFIG = ProxyConfig(
    addresses={name: name for name in ("a", "b", "c")},
    page_retries=5,
    backoff_base_seconds=300,
    backoff_cap_seconds=3600,
    closes_spider=False,
)


def test_a_banned_proxy_is_not_counted_as_dead() -> None:
    rotation = ProxyRotation(_CONFIG)
    rotation.works("a")
    rotation.ban("b")
    rotation.fail("c")
    assert rotation.counts() == {"good": 1, "banned": 1, "dead": 1, "unchecked": 0}


def test_the_last_outcome_of_a_proxy_is_its_state() -> None:
    rotation = ProxyRotation(_CONFIG)
    rotation.ban("a")
    rotation.fail("a")
    rotation.ban("b")
    rotation.works("b")
    assert rotation.counts() == {"good": 1, "banned": 0, "dead": 1, "unchecked": 1}


async def test_neither_banned_nor_dead_proxies_are_chosen() -> None:
    rotation = ProxyRotation(_CONFIG)
    rotation.ban("a")
    rotation.fail("b")
    assert {await rotation.choose() for _ in range(20)} == {"c"}
