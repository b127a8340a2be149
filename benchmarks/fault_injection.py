"""The n-th call of a dependency fails, for all n: is anything said that is not so?

    uv run python -m benchmarks.fault_injection [--seams sqlite,store,...] [--kinds error,timeout,away,death]
        [--phases crawl,resume,again,verify,repair] [--every 1] [--parallel 2] [--folder /dev/shm]

A small site is crawled: for the first time, after a death, and once more when it has changed; its collection
is verified, and repaired. In each, one call of one dependency fails (fault_seams.py). Then the same command
runs once more without a fault, and at last `scrapy verify`. A lie is a page that passes for stored and is not
as it should be, a sum that does not come out, and whatever is not whole in the end.
"""

import argparse
import errno
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from fault_seams import KINDS, SEAMS, Fault
from power_cut.system_calls import SystemCall, serve

from ragcrawler.catalogue import SqliteCatalogue
from ragcrawler.maintenance.verification import IndexScan
from ragcrawler.stores import StoreConfig, open_store
from tests.warm_process import WarmProcess
from tests.warm_python import IMPORTED, Python, WarmPython, completed

SETTINGS = {
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "RETRY_ENABLED": "False",
    "STORE_WAIT_SECONDS": "1",
    "GONE_AFTER": "1",
    "LOG_LEVEL": "INFO",
    "QDRANT_URL": "",
}
KILLED = -9
# What `scrapy crawl` and `scrapy verify` may end with, by docs/reports.md and docs/index.md: 5 is a fault.
CRAWL_CODES = {0, 1, 3, 4, 130}
CODES: Mapping[str, set[int]] = {
    **dict.fromkeys(("crawl", "resume", "again"), CRAWL_CODES),
    "verify": {0, 1},
    "repair": {1, 4, 5},
}
Content = Mapping[str, frozenset[tuple[str, str]]]


def page(name: str, *links: str, edition: int = 1) -> bytes:
    """A page of a few words about itself."""
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    words = f"What edition {edition} of {name} has to say about {name} is said here at some length. " * 3
    main = f"<h1>Page {name}</h1><p>{words}</p><h2>More of {name}</h2><p>{words[::-1]}</p>"
    return f"<html><title>{name}</title><body><nav>{anchors}</nav><main>{main}</main></body></html>".encode()


def first_site() -> dict[str, bytes]:
    return {"/": page("start", "/a", "/b"), "/a": page("a"), "/b": page("b")}


def changed_site() -> dict[str, bytes]:
    """One page is as it was, one has changed, one is gone, and one has come."""
    return {"/": page("start", "/a", "/c"), "/a": page("a", edition=2), "/c": page("c")}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended, and what it said."""

    code: int
    said: str

    @property
    def is_traced(self) -> bool:
        return "Traceback" in self.said


@dataclass(slots=True)
class Result:
    """What is wrong about one fault.

    Attributes:
        failed: the call.
        wrong: by kind: "lie", "traceback" or "code".
    """

    phase: str
    fault: Fault
    failed: str = ""
    code: int = 0
    wrong: list[tuple[str, str]] = field(default_factory=list)

    def add(self, kind: str, what: str) -> None:
        self.wrong.append((kind, what))


class DiskObserver:
    """Fails the n-th call that changes or syncs a file of a folder.

    Args:
        folder: whose files count.
        fault: that is wanted.
        notes: where the program's notes go.
        process_id: of the program.
    """

    def __init__(self, folder: Path, fault: Fault, notes: Path, process_id: Callable[[], int]) -> None:
        self._folder = f"{folder}/"
        self._fault = fault
        self._notes = notes
        self._process_id = process_id
        self._count = 0

    def __call__(self, call: SystemCall) -> int | None:
        path = self._path(call)
        if not path.startswith(self._folder) or self._fault.among not in f"{call.name} {path}":
            return None
        self._count += 1
        (self._notes / "calls").write_text(str(self._count))
        if not self._fault.is_at(self._count):
            return None
        if self._count == self._fault.number:
            (self._notes / "failed").write_text(f"{call.name} {path.removeprefix(self._folder)}")
        if self._fault.kind == "death":
            os.kill(self._process_id(), 9)
            return errno.EIO
        return errno.EIO if self._fault.kind == "error" else errno.ENOSPC

    @staticmethod
    def _path(call: SystemCall) -> str:
        """The file that the call is about; "" where that is not known."""
        with suppress(OSError):
            if call.name in {"rename", "mkdir", "rmdir", "unlink"}:
                return _text(call.thread_id, call.arguments[0])
            if call.name in {"renameat", "renameat2", "mkdirat", "unlinkat"}:
                path = _text(call.thread_id, call.arguments[1])
                if path.startswith("/"):
                    return path
                return str(Path(f"/proc/{call.thread_id}/fd/{call.arguments[0]}").readlink() / path)
            if call.name != "msync":
                return str(Path(f"/proc/{call.thread_id}/fd/{call.arguments[0]}").readlink())
        return ""


def _text(thread: int, address: int) -> str:
    with Path(f"/proc/{thread}/mem").open("rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(1024).split(b"\0", 1)[0].decode("utf-8", "replace")


class Programs:
    """Runs commands of Scrapy with a fault.

    Args:
        start: `python ARGUMENTS` in a process of its own.

    Attributes:
        settings: of the commands.
    """

    def __init__(self, start: Python) -> None:
        self._python = start
        self.settings: Mapping[str, str] = SETTINGS

    def run(self, folder: Path, fault: Fault, *arguments: str) -> Ended:
        """Run a command on the folder's output, with a fault."""
        notes = folder / "notes"
        shutil.rmtree(notes, ignore_errors=True)
        notes.mkdir()
        with ExitStack() as stack:
            given = replace(fault, notes=str(notes))
            process: list[WarmPython] = []
            if fault.seam == "disk":
                observer = DiskObserver(folder / "output", fault, notes, lambda: process[0].pid)
                given = replace(fault, notes=stack.enter_context(_observing(notes, observer)))
            process.append(self._start(folder, given, arguments))
            ended = completed(process[0], timeout=90)
        return Ended(ended.returncode, ended.stdout + ended.stderr)

    def _start(self, folder: Path, fault: Fault, arguments: Sequence[str]) -> WarmPython:
        environment = {
            **{name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}},
            "PYTHONPATH": str(Path(__file__).parent),
            "HF_HUB_OFFLINE": "1",
            "XDG_CACHE_HOME": str(folder.parent / "cache"),
        }
        values = {**self.settings, "OUTPUT_DIR": str(folder / "output")}
        options = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
        command = ("-m", "fault_seams", json.dumps(asdict(fault)), *arguments, *options)
        return self._python(*command, environment=environment)


@contextmanager
def _observing(notes: Path, observer: DiskObserver) -> Iterator[str]:
    """The address of a socket at which the program that connects is observed."""
    address = str(notes / "observer")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen()
        door.settimeout(30)

        def observe() -> None:
            channel, _ = door.accept()
            with channel:
                serve(channel, observer)

        thread = threading.Thread(target=observe, daemon=True)
        thread.start()
        yield address
        thread.join(30)


def content(output: Path) -> tuple[Content, dict[str, list[str]], dict[str, str]]:
    """The chunks by document, what `verify` would find, and the URLs that the catalogue has."""
    config = StoreConfig(folder=output / "qdrant", collection="ragcrawler")
    with open_store(config) as store:
        models = store.models()
        if models is None:
            return {}, {}, {}
        with SqliteCatalogue(output / "catalogue" / "ragcrawler.sqlite") as catalogue:
            faulty = {
                each.document_id: sorted(fault.kind for fault in each.faults)
                for each in IndexScan(store, catalogue, models).faulty_documents()
            }
            urls = {url: document_id for document_id, url in catalogue.urls()}
            found: dict[str, set[tuple[str, str]]] = {}
            for point in store.points():
                text = str(point.payload.get("content"))
                found.setdefault(str(point.payload.get("document_id")), set()).add((point.id, text))
            return {document: frozenset(points) for document, points in found.items()}, faulty, urls


class Site:
    """Pages on loopback that can be changed."""

    def __init__(self) -> None:
        self.pages: Mapping[str, bytes] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = site.pages.get(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A crawler that is killed hangs up; that is no error here."""

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@dataclass(frozen=True, slots=True)
class Phase:
    """A command on a folder as other commands left it.

    Attributes:
        name: of the phase.
        arguments: of the command in which the fault is.
        base: the folder before.
        before: its content.
        after: its content when all is done.
        pages: the site meanwhile.
    """

    name: str
    arguments: tuple[str, ...]
    base: Path
    before: Content
    after: Content
    pages: Mapping[str, bytes]


class Phases:
    """Makes the phases of a site in a folder.

    Args:
        folder: for what they begin with.
        programs: that run the commands.
        site: that is crawled.
    """

    def __init__(self, folder: Path, programs: Programs, site: Site) -> None:
        self._folder = folder
        self._programs = programs
        self._site = site
        self._crawl = ("crawl", "seeds", "-a", f"domains={site.url}", "-a", "force_delete=1")
        self._whole, self._first = self._crawled("whole", None, first_site())

    def make(self, name: str) -> Phase:
        """The phase of this name; the site is as it is in it."""
        make: Callable[[], Phase] = getattr(self, f"_{name}_phase")
        phase = make()
        self._site.pages = phase.pages
        return phase

    def _crawl_phase(self) -> Phase:
        base = self._folder / "empty"
        (base / "output").mkdir(parents=True)
        return Phase("crawl", self._crawl, base, {}, self._first, first_site())

    def _resume_phase(self) -> Phase:
        """After a death in the middle of writing."""
        self._site.pages = first_site()
        base = self._folder / "broken"
        (base / "output").mkdir(parents=True)
        ended = self._programs.run(base, Fault("store", "death", 8), *self._crawl)
        assert ended.code == KILLED, ended.said
        return Phase("resume", self._crawl, base, content(base / "output")[0], self._first, first_site())

    def _again_phase(self) -> Phase:
        _, changed = self._crawled("changed", self._whole, changed_site())
        return Phase("again", self._crawl, self._whole, self._first, changed, changed_site())

    def _verify_phase(self) -> Phase:
        return Phase("verify", ("verify",), self._whole, self._first, self._first, first_site())

    def _repair_phase(self) -> Phase:
        """Of three documents one lacks its points, and one is unfinished by its record."""
        base = self._folder / "damaged"
        copy(self._whole, base)
        config = StoreConfig(folder=base / "output" / "qdrant", collection="ragcrawler")
        first, second, _ = sorted(self._first)
        with open_store(config) as store:
            store.delete([point for point, _ in self._first[first]])
        with SqliteCatalogue(base / "output" / "catalogue" / "ragcrawler.sqlite") as catalogue:
            record = catalogue.get(second)
            assert record
            catalogue.mark_writing([record])
        before = content(base / "output")[0]
        return Phase("repair", ("verify", "--repair"), base, before, self._first, first_site())

    def _crawled(self, name: str, base: Path | None, pages: Mapping[str, bytes]) -> tuple[Path, Content]:
        folder = self._folder / name
        if base is not None:
            copy(base, folder)
        else:
            (folder / "output").mkdir(parents=True)
        self._site.pages = pages
        ended = self._programs.run(folder, Fault(""), *self._crawl)
        assert ended.code == 0, ended.said
        found, faulty, _ = content(folder / "output")
        assert len(found) == len(pages), found
        assert not faulty, faulty
        return folder, found


def copy(source: Path, target: Path) -> None:
    """The engine's files have hundreds of megabytes of holes."""
    subprocess.run(["cp", "-a", "--sparse=always", str(source), str(target)], check=True)


class Trial:
    """Tries one fault in one phase, and looks at what is left.

    Args:
        folder: for it alone; it is removed.
        programs: that run the commands.
        phase: in which it is.
    """

    def __init__(self, folder: Path, programs: Programs, phase: Phase) -> None:
        self._folder = folder
        self._output = folder / "output"
        self._programs = programs
        self._phase = phase

    def calls(self, seam: str) -> int:
        """How many calls there are without a fault."""
        copy(self._phase.base, self._folder)
        try:
            self._programs.run(self._folder, Fault(seam), *self._phase.arguments)
            return int((self._folder / "notes" / "calls").read_text())
        finally:
            shutil.rmtree(self._folder)

    def run(self, fault: Fault) -> Result:
        """What is wrong about a fault."""
        result = Result(self._phase.name, fault)
        copy(self._phase.base, self._folder)
        try:
            runs = self._runs()
            ended = self._programs.run(self._folder, fault, *self._phase.arguments)
            failed = self._folder / "notes" / "failed"
            result.failed, result.code = failed.read_text() if failed.exists() else "", ended.code
            self._check_end(result, ended)
            self._check_stored(result, ended, self._runs() - runs)
            self._check_next(result)
        finally:
            shutil.rmtree(self._folder)
        return result

    def _runs(self) -> set[Path]:
        runs = self._output / "runs"
        return set(runs.iterdir()) if runs.exists() else set()

    def _check_end(self, result: Result, ended: Ended) -> None:
        expected = CODES[self._phase.name] | ({7} if result.fault.seam == "model" else set())
        if result.fault.kind == "death" and result.failed:
            expected = {KILLED}
        if ended.code not in expected:
            result.add("code", f"exit code {ended.code}: {ended.said[-600:]}")
        if ended.is_traced:
            result.add("traceback", _trace(ended.said))

    def _check_stored(self, result: Result, ended: Ended, runs: set[Path]) -> None:
        found, faulty, urls = content(self._output)
        before, after = self._phase.before, self._phase.after
        for document in found.keys() | before.keys() | after.keys():
            is_whole = found.get(document) in (before.get(document), after.get(document))
            if document not in faulty and not is_whole:
                result.add("lie", f"{document} passes for whole")
        if self._phase.arguments[0] == "crawl":
            if ended.code == 0 and (faulty or found != after):
                result.add("lie", f"exit code 0, but {faulty or 'not all is stored'}")
            whole = {url for url, document in urls.items() if found.get(document) == after.get(document)}
            for run in runs:
                _check_run(result, run, ended, whole - {url for url in urls if urls[url] in faulty})
        elif ended.code == 0 and self._phase.name == "repair":
            result.add("lie", "nothing to repair")

    def _check_next(self, result: Result) -> None:
        runs = self._runs()
        ended = self._programs.run(self._folder, Fault(""), *self._phase.arguments)
        if ended.code not in ({0, 4} if self._phase.name == "repair" else {0}):
            result.add("code", f"the next run ends with {ended.code}: {ended.said[-600:]}")
        if ended.is_traced:
            result.add("traceback", f"the next run: {_trace(ended.said)}")
        found, faulty, urls = content(self._output)
        if faulty or found != self._phase.after:
            result.add("lie", f"in the end {faulty or 'something else is stored'}")
        for run in self._runs() - runs:
            _check_run(result, run, ended, set(urls))
        checked = self._programs.run(self._folder, Fault(""), "verify")
        if checked.code or checked.is_traced:
            result.add("code", f"verify ends with {checked.code}: {checked.said[-600:]}")


def _trace(said: str) -> str:
    """The first traceback with the line before, without what is the same in all."""
    before, _, after = said.partition("Traceback")
    return f"{before[-200:]}Traceback{after[:3000]}"


def _check_run(result: Result, run: Path, ended: Ended, whole: set[str]) -> None:
    """Hold a run's report and feed against each other and against what is stored."""
    feed = [] if not (run / "documents.jsonl").exists() else _feed(result, run / "documents.jsonl")
    told = [line["url"] for line in feed if line["state"] != "removed"]
    if len(told) != len(set(told)):
        result.add("lie", f"twice in the feed: {told}")
    if missing := set(told) - whole:
        result.add("lie", f"in the feed and not stored: {missing}")
    if not (run / "report.json").exists():
        is_told = {
            130: "The crawl stops: the state" in ended.said,
            4: "The report cannot be written" in ended.said,
        }.get(ended.code)
        if ended.code not in {KILLED, 1} and not is_told:
            result.add("lie", f"exit code {ended.code} without a report: {ended.said[-600:]}")
        return
    report = json.loads((run / "report.json").read_text(encoding="utf-8"))
    if report["disagreements"]:
        result.add("lie", f"the numbers disagree: {report['disagreements']}")
    if report["exit_code"] != ended.code and ended.code != KILLED:
        result.add("lie", f"the report says {report['exit_code']}, the command {ended.code}")
    pages = report["pages"]
    fetched = pages["fetched"] + pages["skipped"].get("unchanged", 0)
    if fetched != len(told) and report["exit_code"] != 130:
        result.add("lie", f"{fetched} fetched, {len(told)} in the feed")


def _feed(result: Result, path: Path) -> list[dict[str, Any]]:
    """The lines of a feed; of a killed run the last may be cut."""
    lines = path.read_text(encoding="utf-8").split("\n")
    documents = []
    for number, line in enumerate(lines):
        try:
            documents += [json.loads(line)] if line else []
        except ValueError:
            if result.code != KILLED or number < len(lines) - 1:
                result.add("lie", f"line {number + 1} of the feed is damaged")
    return documents


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which faults are tried.

    Attributes:
        every: so many calls are between two faults.
    """

    seams: Sequence[str]
    kinds: Sequence[str]
    phases: Sequence[str]
    every: int = 1
    parallel: int = 2


def try_all(folder: Path, programs: Programs, site: Site, wanted: Wanted) -> Iterator[Result]:
    """Try the faults phase by phase."""
    phases = Phases(folder, programs, site)
    trials = 0
    for name in wanted.phases:
        phase = phases.make(name)
        for seam in wanted.seams:
            calls = Trial(folder / "count", programs, phase).calls(seam)
            faults = [
                Fault(seam, kind, number)
                for kind in wanted.kinds
                for number in range(1, calls + 1, wanted.every)
            ]
            print(f"{name}: {calls} calls of {seam}, {len(faults)} faults", flush=True)
            trials += len(faults)

            def tried(fault: Fault, phase: Phase = phase) -> Result:
                place = folder / f"{phase.name}-{fault.seam}-{fault.kind}-{fault.number}"
                return Trial(place, programs, phase).run(fault)

            with ThreadPoolExecutor(wanted.parallel) as pool:
                yield from pool.map(tried, faults)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, values in (("seams", SEAMS), ("kinds", KINDS), ("phases", CODES)):
        parser.add_argument(f"--{name}", type=lambda text: text.split(","), default=list(values))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--parallel", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm"))
    options = parser.parse_args()
    wanted = Wanted(options.seams, options.kinds, options.phases, options.every, options.parallel)
    from ragcrawler.run.resources import _PRELOADED

    warm, workers, site = WarmProcess(*IMPORTED, "httpx"), WarmProcess(*_PRELOADED), Site()
    programs = Programs(partial(WarmPython, warm.address, workers.address))
    tried: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str, str]] = Counter()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for result in try_all(Path(folder), programs, site, wanted):
            of = result.fault.seam, result.fault.kind
            tried[of] += 1
            for kind, what in result.wrong:
                wrong[*of, kind] += 1
                where = f"{result.phase} {' '.join(of)} {result.fault.number} ({result.failed})"
                print(f"{kind.upper()} {where}: {what}", flush=True)
    for of, count in tried.items():
        found = ", ".join(f"{wrong[*of, kind]} {kind}s" for kind in ("lie", "traceback", "code"))
        print(f"{' '.join(of)}: {count} tried, {found}")
    for each in (warm, workers, site):
        each.close()


if __name__ == "__main__":
    main()
