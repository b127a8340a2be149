"""Wrong settings of robots, rate and cache are refused before a crawl begins."""

import pytest

from ragcrawler.commands.base.validate_settings import validate_settings
from ragcrawler.config.crawling.politeness import PolitenessConfig
from ragcrawler.config.defaults import project_settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROBOTSTXT_USER_AGENT", ""),
        ("ROBOTSTXT_USER_AGENT", "my bot/1.0"),
        ("ROBOTS_TAGS_OBEY", "perhaps"),
        ("ROBOTS_MAX_CRAWL_DELAY_SECONDS", 0),
        ("ROBOTS_RETRY_TIMES", -1),
        ("RETRY_AFTER_MAX_SECONDS", "long"),
        ("RETRY_BACKOFF_BASE_SECONDS", -1),
        ("SITE_MAX_FAILURES", 0),
        ("HTTPCACHE_MAX_MEBIBYTES", 0),
        ("HTTPCACHE_DIR", ""),
    ],
)
def test_a_wrong_value_is_refused_by_its_name(tmp_path: object, name: str, value: object) -> None:
    settings = project_settings(OUTPUT_DIR=str(tmp_path)) | {name: value}
    assert name in validate_settings(settings)


def test_values_from_the_command_line_are_text() -> None:
    settings = project_settings(ROBOTSTXT_OBEY="False", SITE_MAX_FAILURES="7", RETRY_AFTER_MAX_SECONDS="1.5")
    config = PolitenessConfig.from_settings(settings)
    assert (config.obeys_robots, config.max_failures, config.max_retry_after_seconds) == (False, 7, 1.5)
