"""Commands to a control port on loopback that speaks Tor's protocol."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ragcrawler.tor.control import ControlPort
from ragcrawler.tor.errors import TorError

_ANSWERS = {
    "GETINFO status/bootstrap-phase": (
        '250-status/bootstrap-phase=NOTICE BOOTSTRAP PROGRESS=45 TAG=x SUMMARY="y"\r\n250 OK\r\n'
    ),
    "GETINFO net/listeners/socks": '250-net/listeners/socks="127.0.0.1:9150"\r\n250 OK\r\n',
    "SIGNAL NEWNYM": "250 OK\r\n",
}


@asynccontextmanager
async def _control_port(
    folder: Path, answers: dict[str, str], cookie: bytes = b"\x01\xff"
) -> AsyncIterator[tuple[ControlPort, list[str]]]:
    commands: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := (await reader.readline()).decode().strip():
            commands.append(line)
            if line.startswith("AUTHENTICATE"):
                is_right = line == f"AUTHENTICATE {cookie.hex()}"
                answer = "250 OK\r\n" if is_right else "515 Authentication failed\r\n"
            else:
                answer = answers[line]
            writer.write(answer.encode())
            await writer.drain()
        writer.close()

    (folder / "cookie").write_bytes(b"\x01\xff")
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        yield ControlPort(f"{host}:{port}", folder / "cookie"), commands


async def test_progress_and_listener_are_read_from_the_answers(tmp_path: Path) -> None:
    async with _control_port(tmp_path, _ANSWERS) as (control, _):
        assert await control.bootstrap_progress() == 45
        assert await control.socks_address() == "127.0.0.1:9150"


async def test_new_circuits_are_asked_for_with_the_cookie(tmp_path: Path) -> None:
    async with _control_port(tmp_path, _ANSWERS) as (control, commands):
        await control.new_circuits()
    assert commands == ["AUTHENTICATE 01ff", "SIGNAL NEWNYM"]


async def test_a_wrong_cookie_is_an_error_that_says_so(tmp_path: Path) -> None:
    async with _control_port(tmp_path, _ANSWERS, cookie=b"other") as (control, _):
        with pytest.raises(TorError, match="Tor refuses AUTHENTICATE: 515 Authentication failed"):
            await control.new_circuits()


@pytest.mark.parametrize("answer", ["552 Unrecognized signal\r\n", "250-x\r\n" * 200])
async def test_a_refusal_or_an_endless_answer_is_an_error(answer: str, tmp_path: Path) -> None:
    async with _control_port(tmp_path, {"SIGNAL NEWNYM": answer}) as (control, _):
        with pytest.raises(TorError, match="Tor refuses SIGNAL NEWNYM"):
            await control.new_circuits()


async def test_a_client_that_is_gone_is_an_error_with_its_address(tmp_path: Path) -> None:
    async with _control_port(tmp_path, _ANSWERS) as (control, _):
        pass
    with pytest.raises(TorError, match=f"{control.address} does not answer"):
        await control.new_circuits()
