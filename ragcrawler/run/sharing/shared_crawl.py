"""One crawl of any number of processes, whose state is in Redis."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import Literal, Self

from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.config.crawling.sharing import SharingConfig
from ragcrawler.frontier import Frontier
from ragcrawler.frontier.states.protocol import key64
from ragcrawler.frontier.states.redis import RedisAddress, RedisState, RedisStateError
from ragcrawler.frontier.states.redis.crawls import RedisCrawls
from ragcrawler.frontier.target_queue import POLL_SECONDS
from ragcrawler.run.reporting.failures import Failure
from ragcrawler.run.reporting.worker_result import CrawlWorker, WorkerResult
from ragcrawler.run.saved_crawls.saved_crawl import ABOUT, RUN, CrawlIdentity, ends_crawl

logger = logging.getLogger(__name__)

_RECENT_SECONDS = 0.25
_FAILURE = "failure"
_STACK_TRACE_CHARACTERS = 4_000

Role = Literal["ends", "stops", "leaves", "lost"]
"""`ends`: ends the crawl for all. `stops`: was interrupted as the last one. `leaves`: others do the rest.
`lost`: cannot reach the others any more."""


def redis_address(config: SharingConfig) -> RedisAddress:
    """Where the crawls are."""
    return RedisAddress(
        config.url,
        crawl="",
        wait_seconds=config.wait_seconds,
        alive_seconds=config.alive_seconds,
        recent_seconds=_RECENT_SECONDS,
    )


class SharedCrawl:
    """This process's part in it.

    Args:
        crawls: of the server.
        name: of the crawl.
        config: of the sharing.
        resumes: whether a crawl without workers is resumed; else it is forgotten.

    Attributes:
        state: of the crawl.
        role: how this worker came to its end; None before.
        loss: the error by which it was lost; None where it was not.

    Raises:
        RedisStateError: the server cannot be used.
    """

    def __init__(self, crawls: RedisCrawls, name: str, config: SharingConfig, *, resumes: bool) -> None:
        self._crawls = crawls
        self._name = name
        self.config = config
        self.role: Role | None = None
        self.loss: RedisStateError | None = None
        self._is_over = False
        self._waits = False
        self._run = ""
        self.state, self._others = self._join(resumes=resumes)

    @classmethod
    def open(cls, config: SharingConfig, identity: CrawlIdentity, *, resumes: bool) -> Self:
        """Begin a crawl, go on with one, or work on one with others.

        Raises:
            RedisStateError: Redis cannot be used.
        """
        shared = cls(RedisCrawls(redis_address(config)), identity.name, config, resumes=resumes)
        if shared.state.notes.get(ABOUT, 0) is None:
            shared.state.notes.put(ABOUT, 0, identity.to_json())
        return shared

    @property
    def shared(self) -> Self:
        """Itself: other processes work on it too."""
        return self

    @property
    def gives_beats(self) -> bool:
        """Whether others should hear from this worker; one that waits for the end is heard of as it asks."""
        return self.role in ("ends", "stops") if self.role else not self._waits

    @property
    def runs(self) -> tuple[str, ...]:
        """Ids of the runs of all other workers, and of those before."""
        return tuple(run for run in sorted(self.state.notes.texts(RUN)) if run != self._run)

    def begin_run(self, run_id: str, frontier: Frontier, delay_seconds: float) -> None:  # noqa: ARG002
        """Enter this worker's run; one that is alone takes up what the last ones left.

        Args:
            run_id: of this run.
            frontier: that has the state.
            delay_seconds: not needed: when a host may be asked next is in its row.
        """
        runs, counts = self.runs, self.state.urls.counts()
        if not self._others:
            self.state.reclaim()
            frontier.queue.resume()
        done = counts.seen - counts.open
        if self._others:
            logger.info("Joins a crawl: workers %d, done %d, to go %d", self._others + 1, done, counts.open)
        elif runs:
            logger.info(
                "The crawl goes on from run %s: %d done, %d to go (-s RESUME=0 begins anew)",
                *(runs[-1], done, counts.open),
            )
        self._run = run_id
        self.state.notes.put(RUN, key64(run_id), run_id)

    @asynccontextmanager
    async def opening(self) -> AsyncIterator[bool]:
        """Let one worker at a time open the collection; gives whether none of the living ones did before."""
        workers, beats = self.state.workers, asyncio.ensure_future(self._beat())
        with start_errors():
            while not workers.begin_opening():  # noqa: ASYNC110 - the event is in another process
                await asyncio.sleep(POLL_SECONDS)
            is_first = not workers.is_opened()
        try:
            yield is_first
            with start_errors():
                workers.beat()
                workers.set_opened()
        finally:
            beats.cancel()
            workers.end_opening()

    def note_failure(self, failure: Failure) -> None:
        """Tell the worker that writes the report of a lost page."""
        short = replace(failure, stack_trace=failure.stack_trace[-_STACK_TRACE_CHARACTERS:])
        entry = json.dumps([self._run, asdict(short)])
        self.state.notes.put(_FAILURE, key64(f"{failure.stage} {failure.url}"), entry)

    def failures_of_others(self) -> Iterator[Failure]:
        """The pages that other workers lost, and that are still lost."""
        for text in self.state.notes.texts(_FAILURE):
            run, values = json.loads(text)
            if run != self._run:
                yield Failure(**values)

    async def come_to_end(self, result: WorkerResult, is_running: Callable[[], bool]) -> Role:
        """Leave this worker's part of the report; say what else it has to do.

        Where others still work, it waits: one of them may die, and somebody has to end the crawl.

        Args:
            result: what it counted.
            is_running: says no once this worker is interrupted.
        """
        try:
            self.role = await self._role(result, is_running)
        except RedisStateError as error:
            self.role, self.loss = "lost", error
        return self.role

    def results(self) -> list[WorkerResult]:
        """What all workers left, this one included."""
        return [WorkerResult.from_json(values) for values in self.state.workers.results()]

    def reporter(self) -> CrawlWorker | None:
        """The worker that ends the crawl and writes the report; None where it is not known yet."""
        values = self.state.workers.ending()
        return None if values is None else WorkerResult.from_json(values).worker

    def is_over(self, reason: str, *, is_done: bool) -> bool:
        """Whether nothing is left to go on with; only the worker that ends the crawl may say so."""
        if reason == "start_failed":
            return not (is_done or self._others or self.runs)
        return self.role == "ends" and ends_crawl(reason)

    def end(self, *, is_over: bool) -> None:
        """Note what `close` has to do: the report is still to be written."""
        self._is_over = is_over

    def close(self) -> None:
        """Let the others leave where the crawl is over, and forget it."""
        if self.role is None:
            self.state.release_own()
            self.state.workers.leave({})
        if self._is_over:
            self._crawls.drop(self._name, self.state)
        self.state.close()
        self._crawls.close()

    async def _role(self, result: WorkerResult, is_running: Callable[[], bool]) -> Role:
        workers = self.state.workers
        while is_running():
            turn = workers.end(result.to_json())
            if turn != "wait":
                return "ends" if turn == "end" else "leaves"
            if not self._waits:
                self._waits = True
                logger.info("Nothing is left to do here: waiting for the other workers")
            await asyncio.sleep(POLL_SECONDS)
        self.state.release_own()
        return "leaves" if workers.leave(result.to_json()) else "stops"

    async def _beat(self) -> None:
        while True:
            self.state.workers.beat()
            await asyncio.sleep(self.config.beat_seconds)

    def _join(self, *, resumes: bool) -> tuple[RedisState, int]:
        while True:
            state = self._crawls.open(self._name)
            others = state.workers.join()
            if others is not None and (resumes or others or not state.is_used()):
                return state, others
            if others is not None:
                state.workers.leave({})
                self._crawls.drop(self._name, state)
            state.close()
