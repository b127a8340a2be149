"""Why a page was not rendered."""


class BrowserMissing(Exception):  # noqa: N818 - it names the state, as `NotConfigured` does
    """There is no browser that works, and there will be none in this crawl; the message says what to do."""


class RenderError(Exception):
    """This one page was not rendered.

    Attributes:
        reason: one word to count by.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason
