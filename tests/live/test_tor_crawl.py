"""A crawl through `scrapy tor` in a private Tor network on this machine: nothing goes direct."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ragcrawler.tor.exits import TorExit, read_exits
from tests.live.tor_network import SITE_NAME, free_ports, tor_network

_CLIENTS = 3
_PAGES = 60
_MISSING = [name for name in ("tor", "tor-gencert", "setpriv") if shutil.which(name) is None]
_MISSING += [] if shutil.which("privoxy", path=os.environ["PATH"] + ":/usr/sbin") else ["privoxy"]
pytestmark = pytest.mark.skipif(bool(_MISSING), reason=f"tests of Tor need {', '.join(_MISSING)}")


@dataclass
class Site:
    """A start page that links to the others; `asked` are the paths that were asked for."""

    asked: set[str] = field(default_factory=set)
    half_served: threading.Event = field(default_factory=threading.Event)

    def answer(self, path: str) -> tuple[int, str]:
        self.asked.add(path)
        if sum(name.startswith("/page/") for name in self.asked) >= _PAGES // 2:
            self.half_served.set()
        if path == "/":
            links = "".join(f'<a href="/page/{number}">{number}</a> ' for number in range(_PAGES))
            return 200, f"<title>Start</title><h1>Start</h1><p>Sixty pages.</p>{links}"
        if path.startswith("/page/"):
            number = path.rpartition("/")[2]
            return 200, f"<title>P {number}</title><h1>Page {number}</h1><p>Fact {number} of sixty.</p>"
        return 404, "no"


@pytest.fixture
def site() -> Iterator[tuple[str, Site]]:
    state = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, text = state.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name in the base
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://{SITE_NAME}:{server.server_port}", state
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def tor(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """`scrapy tor`, connected; gives its output folder."""
    output = tmp_path / "output"
    network = tmp_path / "network"
    network.mkdir()
    with tor_network(network) as lines:
        extra = tmp_path / "extra"
        extra.write_text(lines)
        command = [sys.executable, "-m", "scrapy", "tor", "--instances", str(_CLIENTS)]
        command += [
            "--torrc",
            str(extra),
            "--port",
            str(free_ports(_CLIENTS)[0]),
            "-s",
            f"OUTPUT_DIR={output}",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                assert process.stdout.readline().startswith(f"Tor is ready: {_CLIENTS} proxies")
                yield output, process
                process.send_signal(signal.SIGINT)
                assert process.wait(30) == 0
            finally:
                process.terminate()
    assert not (output / "tor" / "exits.json").exists()


def _client_process(output: Path, number: int) -> int:
    torrc = str(output / "tor" / f"client-{number}" / "torrc")
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        words = entry.read_bytes().split(b"\0")
        if torrc.encode() in words:
            return int(entry.parent.name)
    raise LookupError(torrc)


def test_all_pages_come_by_exits_while_a_client_dies(
    site: tuple[str, Site], tor: tuple[Path, subprocess.Popen[str]]
) -> None:
    url, state = site
    output, _ = tor
    command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={url}"]
    settings = {
        "OUTPUT_DIR": output,
        "PROXY": "tor",
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "LOG_LEVEL": "WARNING",
    }
    options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    environment = {**os.environ, "PYTHONPATH": str(_name_recorder(output)), "NAMES": str(output / "names")}
    with subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True, env=environment) as crawl:
        assert state.half_served.wait(120), crawl.communicate(timeout=60)[1]
        os.kill(_client_process(output, 1), signal.SIGKILL)
        _, log = crawl.communicate(timeout=240)
    assert crawl.returncode == 0, log
    assert state.asked >= {f"/page/{number}" for number in range(_PAGES)}
    report = json.loads(next((output / "runs").glob("*/report.json")).read_text())
    assert report["pages"]["fetched"] == _PAGES + 1
    looked_up = (output / "names").read_text().splitlines()
    assert not [name for name in looked_up if SITE_NAME in name]
    asyncio.run(_take_new_circuits(read_exits(output / "tor")))


def _name_recorder(folder: Path) -> Path:
    """A folder with a module that Python loads first: it writes down each name that the crawl looks up."""
    recorder = folder / "recorder"
    recorder.mkdir(parents=True)
    (recorder / "sitecustomize.py").write_text(_RECORDER)
    return recorder


_RECORDER = """
import os, socket
for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
    def record(host, *rest, _call=getattr(socket, name), **named):
        with open(os.environ["NAMES"], "a") as names:
            names.write(f"{host}\\n")
        return _call(host, *rest, **named)
    setattr(socket, name, record)
socket.getaddrinfo("127.0.0.1", 80)
"""


async def _take_new_circuits(exits: tuple[TorExit, ...]) -> None:
    for each in exits:
        await each.control.new_circuits()
        assert await each.control.bootstrap_progress() == 100
