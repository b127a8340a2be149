"""Bounds and logins are read and refused early; what lets others in is off."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.spiders import Spider

from ragcrawler.commands.base.validate_settings import validate_settings
from ragcrawler.config.crawling.web_access import WebAccessConfig
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError
from ragcrawler.frontier.filters.traps import TrapLimits


def test_the_defaults_of_the_settings_are_those_of_the_traps() -> None:
    config = WebAccessConfig.from_settings(project_settings())
    assert config.traps == TrapLimits()
    assert config.finds_soft_404
    assert not config.logins


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRAP_MAX_DATES", -1),
        ("TRAP_MAX_FACETS", "many"),
        ("TRAP_MAX_URL_CHARACTERS", 1.5),
        ("SOFT_404", "perhaps"),
        ("DOWNLOAD_MAX_DECOMPRESSION", 0),
        ("DOWNLOAD_MAX_HEADER_KIBIBYTES", 1),
        ("CRAWL_COOKIES", "a=1"),
        ("CRAWL_HEADERS", '{"a.org": "Bearer x"}'),
    ],
)
def test_a_wrong_bound_is_refused_before_the_crawl(name: str, value: object) -> None:
    settings = project_settings(**{name: value})
    with pytest.raises(SettingError, match=name):
        WebAccessConfig.from_settings(settings)
    assert name in validate_settings(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELNETCONSOLE_ENABLED", False),
        ("REMOTE_CONTROL_ENABLED", False),
        ("COOKIES_ENABLED", False),
        ("METAREFRESH_ENABLED", False),
        ("DOWNLOAD_VERIFY_CERTIFICATES", True),
        ("ROBOTSTXT_OBEY", True),
    ],
)
def test_what_lets_others_in_is_off_and_what_keeps_them_out_is_on(name: str, value: bool) -> None:
    assert Settings(dict(project_settings())).getbool(name, not value) is value


def test_only_http_and_https_are_downloaded() -> None:
    handlers = Crawler(Spider, dict(project_settings())).settings.getwithbase("DOWNLOAD_HANDLERS")
    assert {scheme for scheme, handler in handlers.items() if handler} == {"http", "https"}


@pytest.mark.parametrize(
    ("environment", "ends"),
    [
        ({}, "(crawler; no contact given)"),
        ({"CONTACT": "+https://example.org/bot"}, "(+https://example.org/bot)"),
        ({"CONTACT": "x", "USER_AGENT": "mine/1"}, "mine/1"),
    ],
)
def test_the_user_agent_names_a_contact(environment: dict[str, str], ends: str, tmp_path: Path) -> None:
    bare = {name: value for name, value in os.environ.items() if name not in ("CONTACT", "USER_AGENT")}
    said = subprocess.run(
        [sys.executable, "-c", "from ragcrawler.settings import USER_AGENT; print(USER_AGENT)"],
        env=bare | environment | {"PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert said.endswith(ends)
