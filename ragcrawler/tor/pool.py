"""Keeps several Tor clients running."""

import asyncio
import logging
from collections.abc import Callable

from ragcrawler.tor.errors import TorError
from ragcrawler.tor.exits import TorExit, remove_exits, take_folder, write_exits
from ragcrawler.tor.instance import TorInstance
from ragcrawler.tor.options import TorOptions
from ragcrawler.tor.programs import find_programs

logger = logging.getLogger(__name__)

# A client that ends again and again is started again less and less often.
_RESTART_SECONDS = 1.0
_RESTART_MOST_SECONDS = 60.0


class TorPool:
    """Starts the clients, lists them for crawls, renews their circuits, and starts again what ends.

    Args:
        options: how many, and how.
        when_ready: called once with the proxies, when all clients are connected.
    """

    def __init__(self, options: TorOptions, when_ready: Callable[[list[str]], None]) -> None:
        self._options = options
        self._when_ready = when_ready
        self._exits: dict[int, TorExit] = {}

    async def run(self) -> None:
        """Work until cancelled; then every process is ended and the lists are removed.

        Raises:
            TorError: a program is missing, the folder is in use, or the clients do not connect in time.
        """
        programs = find_programs()
        lock = take_folder(self._options.folder)
        instances = [
            TorInstance(number, self._options, programs) for number in range(self._options.instances)
        ]
        try:
            await self._start_all(instances)
            self._when_ready([each.proxy for each in instances])
            async with asyncio.TaskGroup() as tasks:
                for number, instance in enumerate(instances):
                    tasks.create_task(self._keep_running(number, instance))
                    tasks.create_task(self._keep_renewing(number))
        finally:
            remove_exits(self._options.folder)
            await asyncio.gather(*(each.stop() for each in instances))
            lock.close()

    async def _start_all(self, instances: list[TorInstance]) -> None:
        try:
            async with asyncio.timeout(self._options.start_seconds), asyncio.TaskGroup() as tasks:
                for number, instance in enumerate(instances):
                    tasks.create_task(self._start(number, instance))
        except* TorError as group:
            raise TorError(str(group.exceptions[0])) from group
        except* TimeoutError as group:
            raise TorError(self._late()) from group

    def _late(self) -> str:
        return (
            f"{len(self._exits)} of {self._options.instances} Tor clients connected within "
            f"{self._options.start_seconds:g} seconds; see notice.log in {self._options.folder}, "
            "and give more time with --timeout"
        )

    async def _start(self, number: int, instance: TorInstance) -> None:
        self._exits[number] = await instance.start()
        logger.info("Tor client %d of %d is ready", len(self._exits), self._options.instances)
        if len(self._exits) == self._options.instances:
            self._write()

    async def _keep_running(self, number: int, instance: TorInstance) -> None:
        rest = _RESTART_SECONDS
        while True:
            ended = await instance.wait_for_end()
            logger.warning("%s of Tor client %d ended; it is started again", ended, number)
            del self._exits[number]
            self._write()
            while number not in self._exits:
                await instance.stop()
                await asyncio.sleep(rest)
                rest = min(rest * 2, _RESTART_MOST_SECONDS)
                await self._restart(number, instance)
            rest = _RESTART_SECONDS

    async def _restart(self, number: int, instance: TorInstance) -> None:
        try:
            async with asyncio.timeout(self._options.start_seconds):
                self._exits[number] = await instance.start()
        except (TorError, TimeoutError) as error:
            logger.warning("Tor client %d did not start: %s", number, error)
        else:
            logger.info("Tor client %d is ready again", number)
            self._write()

    async def _keep_renewing(self, number: int) -> None:
        period = self._options.renewal_seconds
        # Spread over the period, so that not all exits change at once.
        await asyncio.sleep(period * (number + 1) / self._options.instances)
        while True:
            if number in self._exits:
                try:
                    await self._exits[number].control.new_circuits()
                except TorError as error:
                    logger.warning("Tor client %d keeps its circuits: %s", number, error)
            await asyncio.sleep(period)

    def _write(self) -> None:
        write_exits(self._options.folder, [self._exits[number] for number in sorted(self._exits)])
