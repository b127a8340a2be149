"""One Redis server for all tests of this folder; where there is none, they are left out."""

from collections.abc import Iterator

import pytest

from tests.frontier.redis_process import MISSING, PROGRAM, RedisProcess


def pytest_report_header() -> str:
    return "" if PROGRAM else f"tests of Redis are left out: {MISSING}"


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    if PROGRAM is None:
        pytest.skip(MISSING)
    server = RedisProcess(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()
