"""What a store refuses."""


class StoreError(Exception):
    """A store that cannot be opened or does not fit what is asked of it; says which, and what to do."""


class StoreBusyError(StoreError):
    """Another process has the embedded collection open."""


class StoreAwayError(StoreError):
    """The store cannot be reached, or has too much to do, at the moment: the same call may go well later."""


class StoreDamagedError(StoreError):
    """The stored data cannot be read any more; `reason` is the engine's message."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason
