"""Pages taken out of what crawls that were broken off still mean to do."""

import json
from collections.abc import Iterator

from ragcrawler.config.crawling.sharing import SharingConfig
from ragcrawler.frontier import FetchFailure, Frontier, Target
from ragcrawler.frontier.filters.kept_out import KEPT_OUT, KeptOut
from ragcrawler.frontier.states.dump import DumpableState
from ragcrawler.frontier.states.records import NoteEntry
from ragcrawler.frontier.states.side_queue import ASKED
from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.run.removal.place import LeftError, Premises, Taking
from ragcrawler.run.saved_crawls.crawl_places import CrawlPlace, FilePlace
from ragcrawler.run.saved_crawls.saved_crawl import FOUND_BY_SEARCH, FOUND_ELSEWHERE
from ragcrawler.run.sharing.redis_place import RedisPlace

PENDING = "URLs that saved crawls wait for"


def take_pending(premises: Premises, taking: Taking) -> int:
    """What saved crawls into this collection would still ask for, and what searches said of it.

    Raises:
        LeftError: a process works on one of the crawls.
    """
    return take_out_of(_place(premises), premises.configuration.collection_place, taking)


def take_out_of(place: CrawlPlace, collection: str, taking: Taking) -> int:
    """Of the crawls of a place those into one collection; how much there was.

    Raises:
        LeftError: a process works on one of the crawls.
    """
    count = 0
    left: list[str] = []
    for name in place.names():
        try:
            with place.open(name) as crawl:
                if crawl.about.get("collection") != collection:
                    continue
                if crawl.is_worked_on:
                    left.append(f"{name}: workers are on it")
                else:
                    count += _take(crawl.state, taking.covered, is_dry=taking.is_dry)
        except FrontierStateError as error:
            left.append(f"{name}: {error}")
    if left:
        raise LeftError(f"{PENDING} ({'; '.join(left)})", {PENDING: count})
    return count


def _place(premises: Premises) -> CrawlPlace:
    if sharing := SharingConfig.if_shared(premises.settings):
        return RedisPlace(sharing)
    return FilePlace(premises.configuration.output_folder)


def _take(state: DumpableState, covered: KeptOut, *, is_dry: bool) -> int:
    waiting = [
        stored.record
        for stored in state.urls.records()
        if stored.record.status == "open" and covered.covers(stored.record.url)
    ]
    notes = [(note, changed) for note, changed in _changed_notes(state, covered)]
    if not is_dry:
        frontier = Frontier(state=state)
        with state.transaction():
            state.reclaim()  # what dead processes had in hand is judged as well
            for record in waiting:
                target = Target(record.url, record.depth, record.parent_url)
                frontier.failed(target, FetchFailure(KEPT_OUT, is_skip=True))
            for note, changed in notes:
                _change(state, note, changed)
    return len(waiting) + len(notes)


def _changed_notes(state: DumpableState, covered: KeptOut) -> Iterator[tuple[NoteEntry, str]]:
    """The notes that name covered URLs, each with what is left of it."""
    for note in list(state.notes.entries()):
        if note.form == "text" and note.kind in _LEFT_OF:
            text = str(note.value)
            left = _LEFT_OF[note.kind](text, covered)
            if left != text:
                yield note, left


def _change(state: DumpableState, note: NoteEntry, left: str) -> None:
    if left:
        state.notes.put(note.kind, note.key, left)
    elif note.kind == ASKED:
        state.side_queue.end(note.key)
    else:
        state.notes.pop(note.kind, note.key)


def _left_of_target(text: str, covered: KeptOut) -> str:
    return "" if covered.covers(Target.from_json(text).url) else text


def _left_of_duplicate(text: str, covered: KeptOut) -> str:
    _, original, alias = json.loads(text)
    return "" if covered.covers(original) or covered.covers(alias) else text


def _left_of_search(text: str, covered: KeptOut) -> str:
    found = json.loads(text)
    kept = [each for each in found if not covered.covers(each["url"])]
    return text if len(kept) == len(found) else json.dumps(kept)


_LEFT_OF = {
    ASKED: _left_of_target,
    FOUND_ELSEWHERE: _left_of_duplicate,
    FOUND_BY_SEARCH: _left_of_search,
}
