"""The list of clients between `scrapy tor` and a crawl."""

import stat
from pathlib import Path

import pytest

from ragcrawler.tor.control import ControlPort
from ragcrawler.tor.errors import TorError
from ragcrawler.tor.exits import (
    RENEWAL_LIMIT_SECONDS,
    TorExit,
    TorExits,
    exits_file,
    proxies_file,
    read_exits,
    remove_exits,
    take_folder,
    write_exits,
)

_EXITS = tuple(
    TorExit(f"http://127.0.0.1:{8118 + number}", ControlPort(f"127.0.0.1:{9000 + number}", Path("cookie")))
    for number in range(2)
)


def test_a_crawl_reads_what_was_written(tmp_path: Path) -> None:
    with take_folder(tmp_path):
        write_exits(tmp_path, _EXITS)
        assert read_exits(tmp_path) == _EXITS
    assert proxies_file(tmp_path).read_text() == "http://127.0.0.1:8118\nhttp://127.0.0.1:8119\n"
    assert stat.S_IMODE(exits_file(tmp_path).stat().st_mode) == 0o600


def test_a_list_that_nobody_keeps_is_not_believed(tmp_path: Path) -> None:
    with take_folder(tmp_path):
        write_exits(tmp_path, _EXITS)
    with pytest.raises(TorError, match="start it in another terminal: scrapy tor"):
        read_exits(tmp_path)


def test_without_tor_the_next_step_is_named(tmp_path: Path) -> None:
    with pytest.raises(TorError, match="Tor does not run"):
        read_exits(tmp_path / "tor")


def test_while_tor_starts_there_is_no_list(tmp_path: Path) -> None:
    with take_folder(tmp_path), pytest.raises(TorError, match="still starting"):
        read_exits(tmp_path)


@pytest.mark.parametrize("text", ["", "{", '[{"proxy": 1}]', "[1]"])
def test_a_damaged_list_is_named(text: str, tmp_path: Path) -> None:
    with take_folder(tmp_path):
        exits_file(tmp_path).write_text(text)
        with pytest.raises(TorError, match="damaged"):
            read_exits(tmp_path)


def test_two_pools_do_not_share_a_folder(tmp_path: Path) -> None:
    with take_folder(tmp_path), pytest.raises(TorError, match="another scrapy tor"):
        take_folder(tmp_path)


def test_lists_are_taken_away_also_where_there_are_none(tmp_path: Path) -> None:
    write_exits(tmp_path, _EXITS)
    remove_exits(tmp_path)
    remove_exits(tmp_path)
    assert not exits_file(tmp_path).exists()


async def test_circuits_are_renewed_no_more_often_than_tor_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    renewed: list[str] = []

    async def new_circuits(control: ControlPort) -> None:
        renewed.append(control.address)

    monkeypatch.setattr(ControlPort, "new_circuits", new_circuits)
    exits = TorExits(_EXITS, clock=lambda: now[0])
    first, second = exits.proxies
    asked = [await exits.renew(first), await exits.renew(first), await exits.renew(second)]
    now[0] = RENEWAL_LIMIT_SECONDS
    asked.append(await exits.renew(first))
    assert asked == [True, False, True, True]
    assert renewed == ["127.0.0.1:9000", "127.0.0.1:9001", "127.0.0.1:9000"]
