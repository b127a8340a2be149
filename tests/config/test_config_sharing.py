"""What a crawl that processes share needs, and what is refused."""

from typing import Any

import pytest

from ragcrawler.config.crawling.sharing import SharingConfig
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError

WHOLE = {
    "REDIS_URL": "redis://crawler:Canary7Pw@redis.example:6379/1",
    "QDRANT_URL": "http://qdrant.example:6333",
    "POSTGRES_DSN": "postgresql://catalogue.example/ragcrawler",
}


def read(**settings: Any) -> SharingConfig | None:
    return SharingConfig.if_shared({**project_settings(), "REDIS_URL": "", **settings})


def test_a_crawl_is_one_process_unless_redis_is_set() -> None:
    assert read() is None


def test_a_worker_shows_signs_of_life_several_times_before_it_counts_as_dead() -> None:
    config = read(**WHOLE, REDIS_LEASE_SECONDS="80")
    assert config is not None
    assert (config.lease_seconds, config.alive_seconds, config.beat_seconds) == (80.0, 40.0, 10.0)
    assert "Canary7Pw" not in repr(config)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"QDRANT_URL": ""},
            "QDRANT_URL is '', but should be the address of a Qdrant server where REDIS_URL",
        ),
        ({"POSTGRES_DSN": ""}, "POSTGRES_DSN is '', but should be a PostgreSQL for the catalogue where"),
        ({"REDIS_URL": "http://redis.example"}, "REDIS_URL is 'http://redis.example'"),
        ({"REDIS_URL": "redis://:Canary7Pw@/0"}, "should be an address as redis://"),
        ({"REDIS_URL": "localhost:6379?password=Canary7Pw"}, "REDIS_URL is 'localhost:6379'"),
        ({"REDIS_LEASE_SECONDS": "1"}, "REDIS_LEASE_SECONDS is '1'"),
    ],
)
def test_what_cannot_be_shared_is_refused_by_name(changes: dict[str, str], said: str) -> None:
    with pytest.raises(SettingError) as refused:
        read(**{**WHOLE, **changes})
    assert said in str(refused.value)
    assert "Canary7Pw" not in str(refused.value)
