"""What a research fetches next."""

from dataclasses import replace

from ragcrawler.research.bounds import ResearchBounds, ResearchProgress
from ragcrawler.research.links.host_yield import HostYield
from ragcrawler.research.links.score import Percentiles, cosine, similarity
from ragcrawler.research.links.scout_queue import NameIndex, ScoutQueue
from ragcrawler.research.storage.tasks import ScoutTask


def queue(seen: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4)) -> tuple[ScoutQueue, HostYield, list[str]]:
    hosts, pruned = HostYield(patience=2), list[str]()
    return ScoutQueue(Percentiles(seen), hosts, lambda task: pruned.append(task.url)), hosts, pruned


def task(path: str, value: float | None, anchor: str = "", host: str = "a.org", depth: int = 1) -> ScoutTask:
    return ScoutTask(f"https://{host}/{path}", "q", "", anchor, depth, value)


def order(waiting: ScoutQueue) -> list[str]:
    found = []
    while (each := waiting.pop()) is not None:
        found.append(each.url.rsplit("/", 1)[1])
    return found


def test_named_urls_go_first_then_the_links_nearest_to_the_goal() -> None:
    waiting, _, pruned = queue()
    for each in (
        task("low", 0.15),
        task("named", None),
        task("high", 0.4),
        task("middle", 0.3, host="b.org"),
    ):
        waiting.add(each)
    assert order(waiting) == ["named", "high", "middle"]
    assert pruned == ["https://a.org/low"]


def test_a_link_is_judged_among_all_links_that_were_seen_when_its_turn_comes() -> None:
    waiting, _, pruned = queue(())
    waiting.add(task("first", 0.2))
    assert order(waiting) == ["first"]
    assert pruned == []


def test_a_link_that_was_among_the_better_half_when_it_was_seen_is_not_pruned_by_a_later_run() -> None:
    waiting, _, pruned = queue()
    for path, first_score in (("portal", 0.5), ("advert", 0.49)):
        waiting.add(replace(task(path, 0.1), first_score=first_score))
    assert order(waiting) == ["portal"]
    assert pruned == ["https://a.org/advert"]


def test_of_a_url_the_better_link_counts() -> None:
    waiting, _, _ = queue()
    for each in (task("one", 0.3), task("two", 0.35), task("one", 0.4), task("one", 0.2)):
        waiting.add(each)
    assert (len(waiting), order(waiting)) == (2, ["one", "two"])


def test_links_that_name_a_row_with_missing_fields_go_before_others_even_below_the_bound() -> None:
    waiting, _, pruned = queue()
    for each in (
        task("best", 0.4, "A list"),
        task("known", 0.39, "All of Nordwind"),
        task("asked", 0.1, "ACME's page"),
    ):
        waiting.add(each)
    waiting.set_names(["Acme"], ["Nordwind"])
    assert (order(waiting), pruned) == (["asked", "best", "known"], [])


def test_a_host_that_gives_nothing_new_sinks_and_comes_up_again() -> None:
    waiting, hosts, _ = queue()
    for new_facts in (1, 0, 0):
        hosts.add_page("a.org", new_facts)
    waiting.add(task("sunk", 0.4))
    waiting.add(task("other", 0.3, host="b.org"))
    assert order(waiting) == ["other", "sunk"]
    hosts.add_page("a.org", 1)
    assert not hosts.is_sunk("a.org")


def test_a_page_that_was_read_by_another_way_is_dropped() -> None:
    waiting, _, _ = queue()
    waiting.add(task("one", 0.4))
    waiting.drop("https://a.org/one")
    assert order(waiting) == []


def test_a_percentile_counts_ties_by_half() -> None:
    ranks = Percentiles([0.1, 0.2, 0.2, 0.4])
    assert [ranks.score(value) for value in (0.05, 0.1, 0.2, 0.3, 0.5)] == [0.0, 0.125, 0.5, 0.75, 1.0]


def test_anchor_and_page_count_alike() -> None:
    goal = (1.0, 0.0)
    assert cosine((2.0, 0.0), goal) == 1.0
    assert cosine((0.0, 0.0), goal) == 0.0
    assert similarity((1.0, 0.0), (0.0, 1.0), goal) == similarity((0.0, 1.0), (1.0, 0.0), goal) == 0.5


def test_a_name_is_found_as_a_whole_only() -> None:
    names = NameIndex(["Acme Rotors", "Nord"])
    assert [names.is_named_in(text) for text in ("The ACME rotors, Inc.", "Acme", "Nordwind", "up nord")] == [
        *(True, False, False, True)
    ]


def test_a_research_ends_at_the_bound_that_is_reached_first() -> None:
    now = [0.0]
    progress = ResearchProgress(
        ResearchBounds(pages=9, minutes=1, new_facts=0.5, window=4), clock=lambda: now[0]
    )
    for new_facts in (3, 0, 0, 0):
        progress.add_page(new_facts)
    assert progress.end_reason == ""
    progress.add_page(0)
    assert progress.end_reason == "nothing_new"
    progress.add_page(5)
    now[0] = 60.0
    assert progress.end_reason == "time_budget"
    for _ in range(3):
        progress.add_page(5)
    assert progress.end_reason == "page_budget"
    progress.is_over_budget = True
    assert progress.end_reason == "model_budget"
