"""A crawl killed again and again: is every page done, every chunk there once, and every host left in peace?

    uv run python benchmarks/frontier_kills.py [--kills 20] [--sites 5] [--depth 6] [--delay 0.075]
    uv run python benchmarks/frontier_kills.py --retry-after 20

Crawls the web of frontier_web.py with hashing models. Each run is ended by SIGKILL at a random moment; one
more runs to its end. With --retry-after a host that answers 429 has to be left alone for so long, across the
kill.
"""

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

from frontier_web import SyntheticWeb, page_at
from index_kill import faults

JITTER = 0.2
SETTINGS = {
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "SITEMAPS": "off",
    "JAVASCRIPT": "never",
    "AUTOTHROTTLE_ENABLED": "0",
    "RETRY_BACKOFF_BASE_SECONDS": "0.1",
    "SITE_MAX_FAILURES": "1000",
    "DOWNLOAD_DELAY_JITTER": str(JITTER),
    "NEAR_DUPLICATE_SIMILARITY": "0",
    "PROGRESS_ENABLED": "0",
}


@contextmanager
def serving(web: SyntheticWeb, log: Path, retry_after: int) -> Iterator[str]:
    """Serve a web in a process of its own; gives the domains."""
    given = {
        "sites": web.sites,
        "depth": web.depth,
        "degree": web.degree,
        "retry-after": retry_after,
        "log": log,
    }
    command = [f"--{name}={value}" for name, value in given.items()]
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("frontier_web.py")), *command],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    try:
        yield json.loads(server.stdout.readline())["domains"]
    finally:
        server.terminate()
        server.wait()


class KilledCrawl:
    """Runs of one crawl, with the same arguments each time."""

    def __init__(self, output: Path, domains: str, delay: float) -> None:
        self.output = output
        self.kills: list[float] = []
        self._log = output / "log.txt"
        values = {**SETTINGS, "OUTPUT_DIR": str(output), "DOWNLOAD_DELAY": str(delay), "LOG_LEVEL": "INFO"}
        settings = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
        command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={domains}"]
        self._command = [*command, *settings]

    def begin(self) -> subprocess.Popen[str]:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("a", encoding="utf-8") as log:
            return subprocess.Popen(self._command, stderr=log, stdout=log, text=True)

    def killed(self, seconds: float) -> tuple[int, int, int]:
        """Kill a run after so many seconds at work: pages done, to go, and in flight."""
        before = self.numbers()
        process = self.begin()
        while self.numbers()[0] == before[0]:
            if process.poll() is not None:
                raise RuntimeError(
                    f"the crawl ended by itself:\n{self._log.read_text(encoding='utf-8')[-2000:]}"
                )
            time.sleep(0.05)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.kills.append(time.time())
        return self.numbers()

    def numbers(self) -> tuple[int, int, int]:
        """Pages done, to go, and of these held by a run."""
        files = list((self.output / "state").glob("*.sqlite"))
        if not files:
            return 0, 0, 0
        with closing(sqlite3.connect(f"file:{files[0]}?mode=ro", uri=True, timeout=5)) as database:
            try:
                states = Counter(dict(database.execute("SELECT state, count(*) FROM urls GROUP BY state")))
            except sqlite3.OperationalError:  # its tables are being made
                return 0, 0, 0
        return states[2], states[0] + states[1], states[1]

    def said(self) -> str:
        """The last line about going on."""
        lines = self._log.read_text(encoding="utf-8").splitlines()
        return next((line for line in reversed(lines) if "goes on from run" in line), "it never went on")

    def report(self) -> dict[str, object]:
        newest = max((self.output / "runs").glob("*/report.json"), key=lambda path: path.stat().st_mtime_ns)
        found: dict[str, object] = json.loads(newest.read_text(encoding="utf-8"))
        found["feed"] = [json.loads(line)["url"] for line in (newest.parent / "documents.jsonl").open()]
        return found


def requests(log: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def gaps(log: Path, kills: list[float]) -> tuple[list[float], list[float]]:
    """Seconds between two requests to one host: of one run, and across a kill."""
    times = defaultdict(list)
    for each in requests(log):
        times[each["host"]].append(float(str(each["time"])))
    within, across = [], []
    for host in times.values():
        for earlier, later in pairwise(sorted(host)):
            is_across = any(earlier < kill <= later for kill in kills)
            (across if is_across else within).append(later - earlier)
    return within, across


def many_kills(options: argparse.Namespace, scratch: Path) -> bool:
    web = SyntheticWeb(options.sites, options.depth, options.degree)
    pages = web.reachable()
    log = scratch / "requests.jsonl"
    in_flight, draw = 0, random.Random(options.seed)
    with serving(web, log, 1) as domains:
        crawl = KilledCrawl(scratch / "output", domains, options.delay)
        for kill in range(options.kills):
            done, to_go, held = crawl.killed(draw.uniform(0.0, options.seconds))
            in_flight += held
            print(f"kill {kill + 1:>2}: {done} done, {to_go} to go, {held} in flight", flush=True)
        code = crawl.begin().wait()
        print(crawl.said(), flush=True)
    fetched = Counter(
        (each["host"], each["path"])
        for each in requests(log)
        if each["status"] == 200 and page_at(str(each["host"]), str(each["path"]))
    )
    again = sum(count - 1 for count in fetched.values())
    report = crawl.report()
    chunks, feed = dict(report["chunks"]), list(report["feed"])  # type: ignore[call-overload]
    done = dict(report["pages"])["fetched"]  # type: ignore[call-overload]
    facts = {
        f"pages done {done}, reachable {len(pages)}": done == len(pages) == len(fetched),
        f"fetched again {again}, in flight at the kills {in_flight}": again <= in_flight,
        f"points {report['collection_points']}, chunks in the report {chunks['points']}": (
            report["collection_points"] == chunks["points"] >= len(pages)
        ),
        f"documents in the feed {len(feed)}, each once {len(set(feed))}": len(feed) == len(set(feed)) == done,
        f"faults of the index: {dict(faults(scratch / 'output')) or 'none'}": not faults(scratch / "output"),
        f"the numbers add up: {report['disagreements'] or 'yes'}": not report["disagreements"],
        f"nothing is left to go on with, exit code {code}": not list(
            (scratch / "output" / "state").glob("*.sqlite")
        ),
    }
    return show(facts | pace_facts(log, crawl.kills, options.delay))


def pace_facts(log: Path, kills: list[float], delay: float) -> dict[str, bool]:
    """The pace of each host across kills; within a run it is printed alone."""
    least = 0.95 * delay * (1 - JITTER / 2)
    within, across = gaps(log, kills)
    # A busy machine lets the server see two requests late, and together.
    short = sum(gap < least for gap in within)
    print(f"     gaps within a run: {short} of {len(within)} under {least:.3f} s as the server saw them")
    return {f"shortest gap across a kill {min(across):.3f} s, at least {least:.3f}": min(across) >= least}


def show(facts: Mapping[str, bool]) -> bool:
    """Print what was found; whether all of it holds."""
    for fact, holds in facts.items():
        print(f"{'ok  ' if holds else 'BAD '} {fact}")
    return all(facts.values())


def held_host(options: argparse.Namespace, scratch: Path) -> bool:
    """Kill right after a 429: when is the host asked again?"""
    web = SyntheticWeb(1, options.depth, options.degree)
    log = scratch / "requests.jsonl"
    log.touch()
    with serving(web, log, options.retry_after) as domains:
        crawl = KilledCrawl(scratch / "output", domains, options.delay)
        process = crawl.begin()
        while not any(each["status"] == 429 for each in requests(log)):
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        asked = len(requests(log))
        process = crawl.begin()
        while len(requests(log)) == asked and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
    busy = next(float(str(each["time"])) for each in requests(log) if each["status"] == 429)
    waited = float(str(requests(log)[asked]["time"])) - busy
    holds = waited >= options.retry_after
    print(f"{'ok  ' if holds else 'BAD '} asked again {waited:.1f} s after the 429")
    return holds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3.0, help="at work before a kill, at most")
    parser.add_argument("--sites", type=int, default=5)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--degree", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.075)
    parser.add_argument("--retry-after", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        check = held_host if options.retry_after else many_kills
        sys.exit(0 if check(options, Path(scratch)) else 1)


if __name__ == "__main__":
    main()
