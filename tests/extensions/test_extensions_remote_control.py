"""Scrapy's remote control is there where it is switched on, and is not even imported elsewhere."""

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.extensions.remote_control import RemoteControl

from ragcrawler.config.defaults import project_settings
from ragcrawler.extensions.remote_control import RemoteControlExtension


def crawler(**settings: object) -> Crawler:
    return Crawler(Spider, {**project_settings(), "TWISTED_REACTOR_ENABLED": False, **settings})


def test_scrapys_own_comes_where_it_is_switched_on() -> None:
    extension = RemoteControlExtension.from_crawler(crawler(REMOTE_CONTROL_ENABLED=True))
    assert isinstance(extension, RemoteControl)


def test_it_is_off_without_a_word() -> None:
    with pytest.raises(NotConfigured, match=r"^$"):
        RemoteControlExtension.from_crawler(crawler())


def test_scrapys_own_is_not_loaded_beside_it() -> None:
    loaded = crawler().settings.getwithbase("EXTENSIONS")
    assert loaded["scrapy.extensions.remote_control.RemoteControl"] is None
    assert loaded["ragcrawler.extensions.remote_control.RemoteControlExtension"] is not None
