"""Calls on a store that several threads share: one at a time, each in the thread that makes it."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Any, TypeVar

from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor

Result = TypeVar("Result")


class TurnExecutor(Executor):
    """Runs a call before `submit` returns, when it is its turn: to wait for a thread costs more."""

    def __init__(self) -> None:
        self._turn = Lock()

    def submit(self, call: Callable[..., Result], /, *values: Any, **named: Any) -> "Future[Result]":
        """The call's result or error, as a future that is done."""
        done: Future[Result] = Future()
        try:
            with self._turn:
                done.set_result(call(*values, **named))
        except Exception as error:  # noqa: BLE001  # it goes to whoever asks for the result
            done.set_exception(error)
        return done


class StoreTurns(SingleThreadExecutor):
    """In place of a thread that owns a store: its calls are as exclusive."""

    def __init__(self) -> None:
        self.executor = TurnExecutor()
