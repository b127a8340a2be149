"""Finding out in bounded time whether a model hub answers."""

import logging
import threading
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Protocol

_logger = logging.getLogger(__name__)
_FIRST_CLIENT_ERROR = 400
_COMMIT_HEADER = "X-Repo-Commit"  # a hub names the commit of each file; a captive portal does not


class HubProbe(Protocol):
    """Knows whether a repository can be fetched now."""

    def offers(self, repository: str) -> bool:
        """Whether the hub answers and has the repository."""


class NoHub:
    """The hub of a machine that is offline or wants to be."""

    def offers(self, repository: str) -> bool:  # noqa: ARG002 - the Protocol's signature
        """Never."""
        return False


class _StayingRedirectHandler(urllib.request.HTTPRedirectHandler):
    """Leaves a redirect as it is: its headers already say what is asked."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER = urllib.request.build_opener(_StayingRedirectHandler)


class HttpHubProbe:
    """Asks a hub for the head of a small file.

    A hub that did not answer is not asked again: several models cost one time-out together.
    """

    def __init__(self, endpoint: str, timeout_seconds: float) -> None:
        self._endpoint = endpoint.rstrip("/")
        self._timeout_seconds = timeout_seconds
        self._is_silent = False

    def offers(self, repository: str) -> bool:
        """Whether the hub answers within the time-out, all in all, and has the repository."""
        if self._is_silent:
            return False
        answers: list[bool | None] = []
        # Neither a name look-up nor a server that sends a byte now and then heeds a socket's time-out.
        asking = threading.Thread(target=lambda: answers.append(self._ask(repository)), daemon=True)
        asking.start()
        asking.join(self._timeout_seconds)
        answer = answers[0] if answers else None
        self._is_silent = answer is None
        return bool(answer)

    def _ask(self, repository: str) -> bool | None:
        """Whether it has the repository; None where nothing answers that speaks HTTP."""
        url = f"{self._endpoint}/{repository}/resolve/main/config.json"
        request = urllib.request.Request(url, method="HEAD")  # noqa: S310 - the config admits http and https only
        try:
            with _OPENER.open(request, timeout=self._timeout_seconds) as response:
                return _COMMIT_HEADER in response.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code < _FIRST_CLIENT_ERROR and _COMMIT_HEADER in error.headers
        except (OSError, HTTPException, ValueError) as error:
            _logger.debug("The model hub at %s does not answer: %s", self._endpoint, error)
            return None
