"""The list of proxies is checked before a crawl begins, and its credentials stay out of every message."""

from pathlib import Path

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings

from ragcrawler.config.crawling.proxies import ProxyConfig
from ragcrawler.config.errors import SettingError
from ragcrawler.tor.control import ControlPort
from ragcrawler.tor.exits import TorExit, take_folder, write_exits


@pytest.mark.parametrize(
    ("listed", "addresses"),
    [
        (["10.0.0.1:3128"], {"http://10.0.0.1:3128": "http://10.0.0.1:3128"}),
        (
            "10.0.0.1:3128, http://b.org:80",
            {"http://10.0.0.1:3128": "http://10.0.0.1:3128", "http://b.org:80": "http://b.org:80"},
        ),
        (["# ours", "", "a.org:1", "a.org:1"], {"http://a.org:1": "http://a.org:1"}),
        (["http://me:geheim@a.org:1"], {"http://a.org:1": "http://me:geheim@a.org:1"}),
        (
            ["http://me:geheim@a.org:1", "http://you:geheim@a.org:1"],
            {"http://a.org:1": "http://me:geheim@a.org:1", "http://a.org:1#2": "http://you:geheim@a.org:1"},
        ),
        (["[::1]:3128"], {"http://[::1]:3128": "http://[::1]:3128"}),
    ],
)
def test_each_proxy_has_a_name_without_credentials(listed: object, addresses: dict[str, str]):
    assert ProxyConfig.from_settings(Settings({"ROTATING_PROXY_LIST": listed})).addresses == addresses


def test_a_file_holds_a_proxy_on_each_line(tmp_path: Path):
    file = tmp_path / "proxies.txt"
    file.write_text("# bought in May\na.org:1\n\n  b.org:2  \n", encoding="utf-8")
    settings = Settings({"ROTATING_PROXY_LIST_PATH": str(file), "ROTATING_PROXY_LIST": ["c.org:3"]})
    assert list(ProxyConfig.from_settings(settings).addresses) == ["http://a.org:1", "http://b.org:2"]


@pytest.mark.parametrize("listed", [None, [], "", ["# none"]])
def test_no_list_means_switched_off(listed: object):
    with pytest.raises(NotConfigured):
        ProxyConfig.from_settings(Settings({"ROTATING_PROXY_LIST": listed} if listed is not None else {}))


@pytest.mark.parametrize(
    "entry",
    [
        "socks5://me:geheim@a.org:1080",
        "https://me:geheim@a.org:443",
        "http://me:geheim@a.org",
        "http://me:geheim@:3128",
        "me:geheim@a.org:port",
        "me:geheim@a.org:99999",
    ],
)
def test_what_is_no_http_proxy_is_refused_without_its_credentials(entry: str):
    with pytest.raises(SettingError, match="ROTATING_PROXY_LIST is 'entry 2, ") as caught:
        ProxyConfig.from_settings(Settings({"ROTATING_PROXY_LIST": ["b.org:1", entry]}))
    assert "geheim" not in str(caught.value)


def test_an_empty_or_missing_file_is_an_error_as_the_sites_must_not_be_asked_directly(tmp_path: Path):
    empty = tmp_path / "empty.txt"
    empty.write_text("# to be filled\n", encoding="utf-8")
    with pytest.raises(SettingError, match="a file with a proxy on each line"):
        ProxyConfig.from_settings(Settings({"ROTATING_PROXY_LIST_PATH": str(empty)}))
    with pytest.raises(SettingError, match="No such file"):
        ProxyConfig.from_settings(Settings({"ROTATING_PROXY_LIST_PATH": str(tmp_path / "missing.txt")}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROTATING_PROXY_PAGE_RETRY_TIMES", -1),
        ("ROTATING_PROXY_PAGE_RETRY_TIMES", "often"),
        ("ROTATING_PROXY_BACKOFF_BASE", 0),
        ("ROTATING_PROXY_BACKOFF_CAP", "nan"),
        ("ROTATING_PROXY_PAGE_RETRY_TIMES", "inf"),
    ],
)
def test_a_number_out_of_range_is_refused(name: str, value: object):
    with pytest.raises(SettingError, match=f"{name} is {value!r}"):
        ProxyConfig.from_settings(Settings({"ROTATING_PROXY_LIST": ["a.org:1"], name: value}))


def _tor_settings(output: Path, **more: object) -> Settings:
    return Settings({"PROXY": "tor", "OUTPUT_DIR": str(output), **more})


def test_the_clients_of_tor_are_the_proxies_and_rest_only_shortly(tmp_path: Path):
    exits = [TorExit("http://127.0.0.1:8118", ControlPort("127.0.0.1:9051", Path("cookie")))]
    with take_folder(tmp_path / "tor"):
        write_exits(tmp_path / "tor", exits)
        config = ProxyConfig.from_settings(_tor_settings(tmp_path))
    assert config.addresses == {"http://127.0.0.1:8118": "http://127.0.0.1:8118"}
    assert config.tor_exits == tuple(exits)
    assert (config.backoff_base_seconds, config.backoff_cap_seconds) == (10, 60)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "PROXY is 'tor', but should be used while Tor runs: Tor does not run"),
        ({"PROXY": "socks5://a.org:1"}, "should be tor or empty; ROTATING_PROXY_LIST takes other proxies"),
        ({"ROTATING_PROXY_LIST": ["a.org:1"]}, "empty where ROTATING_PROXY_LIST names other proxies"),
    ],
)
def test_without_tor_a_crawl_that_wants_it_does_not_begin(more: dict[str, object], said: str, tmp_path: Path):
    with pytest.raises(SettingError, match=said):
        ProxyConfig.from_settings(_tor_settings(tmp_path, **more))
