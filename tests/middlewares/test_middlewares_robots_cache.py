"""The cache of the hosts' robots.txt."""

from ragcrawler.middlewares.robots.cache import MAX_ANSWERS, MAX_TOTAL_BYTES, RobotsAnswer, RobotsCache
from ragcrawler.urls.robots.rules import RobotsRules

RULES = RobotsRules("ragcrawler")


def test_an_answer_holds_until_it_expires_and_its_misses_are_kept() -> None:
    now = [0.0]
    cache = RobotsCache(lambda: now[0])
    cache.put("https://a.org", RobotsAnswer(None, expires=10.0, misses=2))
    assert cache.get("https://a.org") is not None
    now[0] = 10.0
    assert cache.get("https://a.org") is None
    assert cache.misses("https://a.org") == 2
    cache.put("https://a.org", RobotsAnswer(RULES, expires=20.0))
    assert cache.misses("https://a.org") == 0


def test_the_number_of_answers_is_bounded() -> None:
    cache = RobotsCache(lambda: 0.0)
    for number in range(MAX_ANSWERS + 1):
        cache.put(f"https://{number}.org", RobotsAnswer(RULES, expires=1.0))
        cache.get("https://0.org")  # in use
    assert cache.get("https://0.org") is not None
    assert cache.get("https://1.org") is None
    assert cache.get(f"https://{MAX_ANSWERS}.org") is not None


def test_the_size_of_all_answers_is_bounded() -> None:
    cache = RobotsCache(lambda: 0.0)
    for number in range(3):
        cache.put(f"https://{number}.org", RobotsAnswer(RULES, expires=1.0, size=MAX_TOTAL_BYTES // 2))
    assert cache.get("https://0.org") is None
    assert cache.get("https://2.org") is not None


def test_an_answer_that_is_replaced_no_longer_counts() -> None:
    cache = RobotsCache(lambda: 0.0)
    for _ in range(9):
        cache.put("https://0.org", RobotsAnswer(RULES, expires=1.0, size=MAX_TOTAL_BYTES // 4))
    cache.put("https://1.org", RobotsAnswer(RULES, expires=1.0, size=MAX_TOTAL_BYTES // 4))
    assert cache.get("https://0.org") is not None
