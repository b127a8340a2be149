"""What HTTP clients log of each request."""

import logging
from collections.abc import Iterator

import pytest

from ragcrawler.services import silence_request_log


@pytest.fixture
def client_log() -> Iterator[logging.Logger]:
    logger = logging.getLogger("httpx")
    before = logger.level
    logger.setLevel(logging.NOTSET)
    yield logger
    logger.setLevel(before)


def test_requests_are_not_logged_one_by_one(client_log: logging.Logger) -> None:
    silence_request_log()
    assert not client_log.isEnabledFor(logging.INFO)
    assert client_log.isEnabledFor(logging.WARNING)


def test_who_has_set_the_level_keeps_it(client_log: logging.Logger) -> None:
    client_log.setLevel(logging.DEBUG)
    silence_request_log()
    assert client_log.level == logging.DEBUG
