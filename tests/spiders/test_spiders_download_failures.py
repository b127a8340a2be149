"""What a lost page is said to have been lost to."""

import pytest
from scrapy.exceptions import DownloadTimeoutError, ResponseDataLossError
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError

from ragcrawler.spiders.download_failures import explanation


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (HttpError(Response("http://a.example/", status=503)), "the server answered with status 503"),
        (ResponseDataLossError(), "the response ended before it was whole"),
        (DownloadTimeoutError(), "DownloadTimeoutError without a message"),
        (DownloadTimeoutError("took longer than 30 s"), "took longer than 30 s"),
    ],
)
def test_each_loss_is_explained(error: Exception, words: str) -> None:
    assert explanation(error) == words


def test_an_endless_message_is_cut() -> None:
    assert len(explanation(ValueError("x" * 100_000))) == 1000
