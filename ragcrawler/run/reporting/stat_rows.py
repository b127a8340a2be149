"""Rows of the report that are read off the stats: words to numbers, empty where there is nothing to tell."""

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ragcrawler.search_engines.answer import SearchState

if TYPE_CHECKING:
    from ragcrawler.run.reporting.report import DocumentCounts

PREFIX = "ragcrawler/"
UNREAD_FILES = "files/left_out/"
"""Files without a converter are counted under this, by their ending."""
OTHER_ENDINGS = "others"
"""Of these, files with an ending that is none: too long, or with other characters than plain ones."""

_STATES = "search/states/"
_SILENT = "search/unresponsive/"
_LEFT_OUT = "search/left_out/"
_SEARCHES = {"requests": "requests sent", "alarms": "doubtful results", "found": "URLs found"}
_QUALITY_BANDS = (("high", 0.85), ("fair", 0.5), ("low", 0.0))
_QUALITY = {"high": "0.85 to 1", "fair": "0.5 to 0.84", "low": "under 0.5: look at these"}
_JAVASCRIPT = {
    "wanted": "need JavaScript",
    "weak": "of these after their content was hardly found",
    "gained": "rendered, with a gain",
    "not_gained": "rendered, without a gain",
    "never_gains": "not rendered: others of their kind never gained",
    "over_budget": "not rendered: over the budget",
    "no_browser": "not rendered: no browser",
}
_PROXIES = {
    "good": "working at the end",
    "banned": "banned at the end",
    "dead": "dead at the end",
    "unchecked": "not used",
    "retries": "requests tried again through another",
    "renewals": "new circuits after a ban",
}
_SUMMARIES = {
    "chunks": "passages",
    "made": "summarised by calls of this run",
    "known": "known from earlier calls",
    "failed": "failed: stored without a summary",
    "missing": "not asked for: stored without a summary",
    "input_tokens": "tokens read",
    "cached_input_tokens": "of these from the provider's cache",
    "output_tokens": "tokens written",
}
_NOT_IN_THE_TEXT = {
    "hidden_characters": "characters that no reader sees",
    "duplicate_words": "words of second copies, made for another layout (a telephone, print)",
}
_MICRO = 1_000_000


def count_of(stats: Mapping[str, Any], name: str) -> int:
    """One of our counters, by its name without the prefix."""
    return int(stats.get(PREFIX + name, 0))


def counts_under(stats: Mapping[str, Any], name: str) -> dict[str, int]:
    """Our counters whose names begin so, by the rest of their names."""
    start = PREFIX + name
    return {
        each.removeprefix(start): int(value)
        for each, value in sorted(stats.items())
        if each.startswith(start)
    }


def quality_band(quality: float) -> str:
    """The band of a score from 0 to 1: "high", "fair" or "low"."""
    return next(name for name, least in _QUALITY_BANDS if quality >= least)


def quality_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """HTML pages by how likely their main content was found."""
    return {words: count_of(stats, f"convert/quality/{name}") for name, words in _QUALITY.items()}


def left_out_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """What was left out of the text of pages."""
    return {words: count_of(stats, f"convert/{name}") for name, words in _NOT_IN_THE_TEXT.items()}


def javascript_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """What became of the pages that need JavaScript."""
    counts = counts_under(stats, "javascript/")
    if not counts.get("wanted"):
        return {}
    rows = {words: counts.get(name, 0) for name, words in _JAVASCRIPT.items()}
    for kind, words in (("errors/", "not rendered: "), ("blocked/", "requests of scripts refused: ")):
        rows |= {words + name: count for name, count in counts_under(stats, f"javascript/{kind}").items()}
    return rows


def hardly_found(stats: Mapping[str, Any]) -> int:
    """HTML pages whose main content was hardly found."""
    return count_of(stats, "convert/quality/low")


def not_rendered(stats: Mapping[str, Any]) -> int:
    """Pages that need JavaScript and got no browser, or were lost to it."""
    errors = sum(counts_under(stats, "javascript/errors/").values())
    return errors + sum(count_of(stats, f"javascript/{name}") for name in ("over_budget", "no_browser"))


def proxy_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """How proxies were at the end, then each with its responses, bans and failures."""
    rows = {words: count_of(stats, f"proxies/{name}") for name, words in _PROXIES.items()}
    by_proxy: dict[str, dict[str, int]] = defaultdict(dict)
    for name, count in counts_under(stats, "proxies/by_proxy/").items():
        proxy, _, outcome = name.rpartition("/")
        by_proxy[proxy][outcome] = count
    for proxy, outcomes in sorted(by_proxy.items()):
        rows |= {f"{proxy}: {outcome}": count for outcome, count in sorted(outcomes.items())}
    return rows


def revisit_rows(stats: Mapping[str, Any], documents: "DocumentCounts") -> dict[str, int]:
    """What a crawl of what was due visited."""
    counts = {name: count_of(stats, f"revisits/{name}") for name in ("due", "not_due")}
    if not any(counts.values()):
        return {}
    return {
        "stored pages that were due": counts["due"],
        "stored pages that were not due": counts["not_due"],
        "of the visited: changed": documents.changed,
        "of the visited: unchanged": documents.unchanged + documents.same_text,
        "of the visited: new": documents.new,
    }


def summary_rows(stats: Mapping[str, Any]) -> dict[str, int | str]:
    """What became of the summaries, and what they cost."""
    if not count_of(stats, "summarize/chunks"):
        return {}
    rows: dict[str, int | str] = {
        words: count_of(stats, f"summarize/{name}") for name, words in _SUMMARIES.items()
    }
    dollars = count_of(stats, "summarize/micro_dollars") / _MICRO
    return rows | ({"cost in US dollars": f"{dollars:.4f}"} if dollars else {})


def lacking_summaries(stats: Mapping[str, Any]) -> int:
    """Passages that were stored without one, though they should have it."""
    return count_of(stats, "summarize/failed") + count_of(stats, "summarize/missing")


def search_rows(stats: Mapping[str, Any]) -> dict[str, int]:
    """Queries by engine and state, then URLs."""
    rows = _by_engine(stats, _STATES)
    rows |= {f"behind {words}": count for words, count in _by_engine(stats, _SILENT).items()}
    if not rows:
        return {}
    rows |= {words: count_of(stats, f"search/{name}") for name, words in _SEARCHES.items()}
    return rows | {f"URLs left out: {name}": count for name, count in counts_under(stats, _LEFT_OUT).items()}


def search_losses(stats: Mapping[str, Any]) -> dict[str, int]:
    """Queries that an engine did not answer, by engine and state."""
    states = {words: count for words, count in _by_engine(stats, _STATES).items() if not _is_answer(words)}
    return states | _by_engine(stats, _SILENT)


def is_search_unanswered(stats: Mapping[str, Any]) -> bool:
    """Whether engines were to be asked, and none answered any query, not even with a first page."""
    states = _by_engine(stats, _STATES)
    return bool(states) and not count_of(stats, "search/results") and not any(map(_is_answer, states))


def _by_engine(stats: Mapping[str, Any], name: str) -> dict[str, int]:
    """The counters under a name, as "engine: state"."""
    counts = counts_under(stats, name)
    return {": ".join(each.rpartition("/")[::2]): count for each, count in counts.items()}


def _is_answer(words: str) -> bool:
    return SearchState(words.rpartition(": ")[2]).is_answer
