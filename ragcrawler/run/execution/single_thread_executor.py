"""A thread that owns something which is not thread-safe."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class SingleThreadExecutor:
    """Runs blocking calls one after another, off the event loop."""

    def __init__(self, name: str) -> None:
        self.executor: Executor = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def do(self, call: Callable[[], Result]) -> Result:
        """The result of the call, once its turn has come."""
        return await asyncio.get_running_loop().run_in_executor(self.executor, call)

    def close(self) -> None:
        """Take no more calls; the one that runs goes on to its end."""
        self.executor.shutdown(wait=False)
