from pathlib import Path

import pytest

from ragcrawler.stores import StoreConfig, StoreError, open_store


@pytest.mark.parametrize(
    ("kind", "location"),
    [("auto", "qdrant/ragcrawler"), ("edge", "qdrant/ragcrawler"), ("memory", "memory")],
)
def test_the_kind_decides_the_store(tmp_path: Path, kind, location) -> None:
    with open_store(StoreConfig(folder=tmp_path / "qdrant", kind=kind)) as store:
        assert store.location.endswith(location)


@pytest.mark.parametrize("kind", ["auto", "server"])
def test_an_address_means_a_server(start_rest_double, kind) -> None:
    url = start_rest_double().url
    with open_store(StoreConfig(url=url, kind=kind)) as store:
        assert store.location == f"ragcrawler at {url}"


def test_an_address_beside_another_kind_is_passed_over(tmp_path: Path) -> None:
    with open_store(StoreConfig(url="http://127.0.0.1:1", folder=tmp_path, kind="edge")) as store:
        assert store.location == str(tmp_path / "ragcrawler")


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        (StoreConfig(kind="server"), "set QDRANT_URL"),
        (StoreConfig(kind="postgres"), "'postgres': choose auto, edge, server or memory"),
        (StoreConfig(url="localhost:6333"), "'localhost:6333' is no address"),
        (StoreConfig(url="ftp://qdrant"), "'ftp://qdrant' is no address"),
        (StoreConfig(url="http://"), "is no address"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(config, complaint) -> None:
    with pytest.raises(StoreError, match=complaint):
        open_store(config)


def test_the_key_is_not_in_the_configurations_repr() -> None:
    assert "hush" not in repr(StoreConfig(api_key="hush"))


@pytest.mark.parametrize(
    ("config", "kind", "location"),
    [
        (StoreConfig(folder=Path("q")), "edge", "q"),
        (StoreConfig(url="http://db:6333/"), "server", "http://db:6333"),
        (StoreConfig(url="http://db:6333", kind="memory"), "memory", "http://db:6333"),
    ],
)
def test_the_kind_is_decided_in_one_place(config: StoreConfig, kind: str, location: str) -> None:
    assert (config.resolved_kind, config.location) == (kind, location)
