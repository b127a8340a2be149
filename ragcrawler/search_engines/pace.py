"""How fast one engine is asked: a random time apart, as a person would."""

import asyncio
import random
from collections.abc import Awaitable, Callable

_LEAST, _MOST = 0.5, 1.5


class EnginePace:
    """Lets one request go at a time, the first at once.

    Args:
        seconds: between two requests on average; each time is drawn between half and one and a half of it.
        sleep: waits for so many seconds.
        draw: a random number between two bounds.
    """

    def __init__(
        self,
        seconds: float,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._seconds = seconds
        self._sleep = sleep
        self._draw = draw
        self._is_first = True

    async def turn(self) -> None:
        """Wait until the next request may go."""
        if self._is_first:
            self._is_first = False
        elif self._seconds:
            await self._sleep(self._seconds * self._draw(_LEAST, _MOST))
