"""For every test: no network beyond this machine, no model hub, no settings from outside."""

import gc
import ipaddress
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.embedded_server import EmbeddedServer
from ragcrawler.postgres.session import PostgresSession
from tests.warm_process import WarmProcess
from tests.warm_python import IMPORTED, Python, WarmPython

os.environ["HF_HUB_OFFLINE"] = "1"
# tiktoken would download its tables; litellm, which is not imported, carries them under the same names.
os.environ["TIKTOKEN_CACHE_DIR"] = str(
    distribution("litellm").locate_file("litellm/litellm_core_utils/tokenizers")
)
# No test speaks to a public host: to read the machine's 140 authorities would take each client and each crawl
# 25 ms. The key of this one was thrown away.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).with_name("authority.pem"))
# A real Qdrant server, where QDRANT_URL names one, is for the stores' contract alone.
for _name in (
    "EMBEDDING_MODEL",
    "SPARSE_EMBEDDING_MODEL",
    "EMBEDDING_PRECISION",
    "TOKEN_VECTORS",
    "QUESTION_WEIGHTS",
    "EMBEDDING_PROVIDER",
    "EMBEDDING_URL",
    "EMBEDDING_API_KEY",
    "COHERE_API_KEY",
    "EMBEDDING_TOKENIZER",
    "EMBEDDING_DEVICE",
    "EMBEDDING_CACHE_PATH",
    "MODEL_CACHE_DIR",
    "FASTEMBED_CACHE_PATH",
    "HF_ENDPOINT",
    "ROTATING_PROXY_LIST",
    "ROTATING_PROXY_LIST_PATH",
    "DOCLING_ARTIFACTS_PATH",
    "CHROMIUM_PATH",
    "SEARXNG_URL",
    "BRAVE_SEARCH_API_KEY",
    "GOOGLE_SEARCH_API_KEY",
    "GOOGLE_SEARCH_ENGINE_ID",
    "CONTACT",
    "CRAWL_COOKIES",
    "CRAWL_HEADERS",
    "USER_AGENT",
    "OUTPUT_DIR",
    "RAGCRAWLER_ROOT",
    "COLLECTION_WAIT_SECONDS",
    "SCRAPY_PROJECT",
    "LOG_LEVEL",
    "POSTGRES_DSN",
    "SERVER_TOKEN",
    "SERVER_HOSTS",
):
    os.environ.pop(_name, None)

# The same examples at every run: a suite that decides over main must not depend on luck. To look for others:
# HYPOTHESIS_PROFILE=search.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
if settings.get_current_profile_name() == "suite":
    # Hypothesis also tries the constants of imported modules: the examples would depend on which these are
    # in a process, and each process would parse a thousand of them.
    providers._get_local_constants = lambda: providers._local_constants

TESTS = Path(__file__).parent
# Slow for most changes; `-m "not deployment and not docs and not api"` leaves them out.
MARKED_FOLDERS = ("deployment", "docs", "api")
MEMORY = Path("/dev/shm")
FILES_BYTES = 8 * 2**30


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A script ignores it for what it starts in the background, and programs that tests start would too.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    _keep_bytecode(config)
    _keep_files_in_memory()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that is collected becomes garbage: without this, Python goes through it again and again."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)  # a test's own objects live as long as it does
    gc.enable()
    return collected


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, object]:
    """Each process begins with another part: what one has compiled, the others find in the cache."""
    report = yield
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if isinstance(collector, pytest.Directory) and processes > 1:
        number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
        begin = len(report.result) * number // processes
        report.result = [*report.result[begin:], *report.result[:begin]]
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what one may leave out by its folder, and order the files.

    First comes a file that mostly waits, and the other such files are spread over the run: something works
    meanwhile.
    """
    for item in items:
        if (folder := item.path.relative_to(TESTS).parts[0]) in MARKED_FOLDERS:
            item.add_marker(folder)
    files = sorted({item.path for item in items})
    waiting = [file for file in files if file.parent.name == "live"]
    others = [file for file in files if file.parent.name != "live"]
    every = len(others) / max(len(waiting), 1)
    place = {file: float(number) for number, file in enumerate(others)}
    place |= {file: number * every - 0.5 for number, file in enumerate(waiting)}
    items.sort(key=lambda item: place[item.path])


def _keep_bytecode(config: pytest.Config) -> None:
    """Where none may be written beside the sources, keep bytecode with the cache of pytest.

    Otherwise each process, and each program that a test starts, compiles thousands of modules anew.
    """
    if sys.dont_write_bytecode:
        cache = getattr(config, "cache", None)  # pytest can be told to have none
        folder = str(cache.mkdir("bytecode") if cache else tempfile.mkdtemp(prefix="bytecode"))
        sys.dont_write_bytecode, sys.pycache_prefix = False, folder
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        del os.environ["PYTHONDONTWRITEBYTECODE"]


def _keep_files_in_memory() -> None:
    """Tests make hundreds of stores: where memory has room for them, none of them waits for a disk."""
    if "PYTEST_DEBUG_TEMPROOT" not in os.environ and MEMORY.is_dir():
        mounted = os.statvfs(MEMORY)
        available = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text("ascii"))
        free = min(mounted.f_bavail * mounted.f_frsize, int(available[1]) * 1024 if available else 0)
        if free >= FILES_BYTES and not mounted.f_flag & os.ST_NOEXEC:
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)


_LOCAL_NAMES = {"localhost", "ip6-localhost", socket.gethostname()}


class PublicHostError(AssertionError):
    """A test reached for a host that is not this machine."""


def _is_local(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name is None or not isinstance(name, str) or name in _LOCAL_NAMES or name == "":
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _guarded(call: Callable[..., Any]) -> Callable[..., Any]:
    def guard(host: object, *rest: Any, **named: Any) -> Any:
        if not _is_local(host):
            raise PublicHostError(f"{call.__name__}({host!r}): tests may not look up public hosts")
        return call(host, *rest, **named)

    return guard


@pytest.fixture(autouse=True, scope="session")
def _no_public_hosts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            patch.setattr(socket, name, _guarded(getattr(socket, name)))
        connect = socket.socket.connect

        def guarded_connect(self: socket.socket, address: Any) -> None:
            if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_local(address[0]):
                raise PublicHostError(f"connect({address!r}): tests may not reach public hosts")
            connect(self, address)

        patch.setattr(socket.socket, "connect", guarded_connect)
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[EmbeddedServer]:
    """One PostgreSQL with pgvector for all tests, started for the first that asks."""
    folder = Path(tempfile.mkdtemp(prefix="ragcrawler-postgres-"))
    folder.chmod(0o711)  # as root the server runs as another user
    with EmbeddedServer(folder / "server", is_durable=False) as server:
        yield server
    shutil.rmtree(folder)


@pytest.fixture
def postgres_address(postgres_server: EmbeddedServer) -> PostgresAddress:
    """A database of one test."""
    name = f"test_{uuid4().hex}"
    with PostgresSession(postgres_server.address) as session:
        session.rows(f'CREATE DATABASE "{name}"')
    return replace(postgres_server.address, database=name)


@pytest.fixture(scope="session")
def warm_workers() -> Iterator[WarmProcess]:
    """What test crawls fork their workers from."""
    from ragcrawler.run.resources import _PRELOADED

    process = WarmProcess(*_PRELOADED)
    yield process
    process.close()


@pytest.fixture(scope="session")
def python(warm_workers: WarmProcess) -> Iterator[Python]:
    """Starts `python ARGUMENTS` in a process of its own."""
    process = WarmProcess(*IMPORTED)
    yield partial(WarmPython, process.address, warm_workers.address)
    process.close()
