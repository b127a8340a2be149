"""A call that is given up after a while."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

ResultT = TypeVar("ResultT")


def call_with_timeout(seconds: float, call: Callable[[], ResultT]) -> ResultT:
    """Run `call` in a thread of its own; returns what it returns, raises what it raises.

    A call that takes longer goes on unheard; its thread does not keep the process from ending.

    Raises:
        TimeoutError: it took longer.
    """
    outcomes: SimpleQueue[tuple[ResultT | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            outcomes.put((call(), None))
        except BaseException as error:  # noqa: BLE001  # raised again below, in the thread that asked
            outcomes.put((None, error))

    Thread(target=run, name="ragcrawler-time-limit", daemon=True).start()
    try:
        result, error = outcomes.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"no answer within {seconds:g} s") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # None only where the call gave None
