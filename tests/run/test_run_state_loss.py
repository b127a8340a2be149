"""The one message of a crawl whose state is lost."""

import logging
from types import SimpleNamespace

import pytest

from ragcrawler.frontier.states.sqlite import FrontierStateError
from ragcrawler.run.saved_crawls.state_loss import StateLoss


@pytest.fixture
def loss() -> StateLoss:
    return StateLoss(SimpleNamespace(_engine=None))


def test_errors_of_the_state_are_said_once(loss: StateLoss, caplog: pytest.LogCaptureFixture) -> None:
    loss.watch()
    try:
        for name in ("asyncio", "scrapy.utils.signal"):
            logging.getLogger(name).error("In a callback", exc_info=FrontierStateError("the disk is full"))
    finally:
        loss.unwatch()
    assert caplog.messages == ["The crawl stops: the disk is full"]
    assert caplog.records[0].exc_info is None


def test_other_errors_are_logged(loss: StateLoss, caplog: pytest.LogCaptureFixture) -> None:
    loss.watch()
    try:
        logging.getLogger("asyncio").error("In a callback", exc_info=ValueError("no such thing"))
    finally:
        loss.unwatch()
    assert caplog.messages == ["In a callback"]


def test_nothing_is_taken_out_after_the_crawl(loss: StateLoss, caplog: pytest.LogCaptureFixture) -> None:
    loss.watch()
    loss.unwatch()
    logging.getLogger("asyncio").error("Late", exc_info=FrontierStateError("the disk is full"))
    assert caplog.messages == ["Late"]
