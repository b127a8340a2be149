"""What a client writes at its start is waited for."""

import asyncio
from pathlib import Path

import pytest

from ragcrawler.tor import instance as instance_module
from ragcrawler.tor.configuration_files import CONTROL_PORT_FILE, COOKIE_FILE
from ragcrawler.tor.instance import TorInstance
from ragcrawler.tor.options import TorOptions
from ragcrawler.tor.programs import Programs


async def turns_of_the_loop(count: int = 20) -> None:
    """A poll without a pause looks once in each."""
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize("first", [CONTROL_PORT_FILE, COOKIE_FILE])
async def test_a_client_is_commanded_when_its_port_and_its_cookie_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr(instance_module, "_POLL_SECONDS", 0)
    folder = tmp_path / "client-0"
    folder.mkdir()
    written = {CONTROL_PORT_FILE: b"PORT=127.0.0.1:9051\n", COOKIE_FILE: b"\x01\xff"}
    found = asyncio.create_task(TorInstance(0, TorOptions(tmp_path), Programs("tor", "", ()))._control())
    (folder / first).write_bytes(written.pop(first))
    await turns_of_the_loop()
    assert not found.done()
    for name, content in written.items():
        (folder / name).write_bytes(content)
    control = await found
    assert (control.address, control.cookie_file) == ("127.0.0.1:9051", folder / COOKIE_FILE)
