"""Why a page was not rendered."""


class RenderError(Exception):
    """This one page was not rendered.

    Attributes:
        reason: one word to count by.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason
