"""An event loop in a thread of its own: blocking calls that can be given up at once."""

import asyncio
import concurrent.futures
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class LoopThread:
    """Runs coroutines for threads that wait for them; the thread ends with the process at the latest."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._is_open = True
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of a coroutine.

        Raises:
            concurrent.futures.CancelledError: the loop is or was closed.
        """
        with self._lock:
            if not self._is_open:
                work.close()
                raise concurrent.futures.CancelledError
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result()

    def close(self, last: Coroutine[Any, Any, None]) -> bool:
        """Cancel what runs, run one last coroutine, and end; whether it was still open."""
        with self._lock:
            if not self._is_open:
                last.close()
                return False
            self._is_open = False
        asyncio.run_coroutine_threadsafe(_cancel_all_then(last), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        return True


async def _cancel_all_then(last: Coroutine[Any, Any, None]) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last
