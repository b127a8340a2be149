"""The frontier's SQLite state as it grows: adds a CPU second, memory, bytes a URL.

    uv run python benchmarks/frontier_growth.py [--urls 1000000]

Pages of 50 links each, over 5,000 hosts of very different size; 10 million URLs take some ten minutes. The
rates are those of the first and the last tenth.
"""

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ragcrawler.frontier import UrlRecord
from ragcrawler.frontier.states.protocol import key64
from ragcrawler.frontier.states.sqlite import SqliteState

LINKS_OF_A_PAGE = 50
HOSTS = 5_000
MEBIBYTE = 2**20


def records(count: int) -> Iterator[UrlRecord]:
    """URLs with paths of 20 to 30 characters; their parents are URLs from before."""
    draw = random.Random(20)
    for number in range(count):
        host = f"www.site{min(int(draw.paretovariate(0.7)), HOSTS)}.example"
        url = f"https://{host}/docs/{draw.getrandbits(32):08x}/page-{number}"
        yield UrlRecord(key64(url), url, host, depth=3, priority=-3, parent_url=f"https://{host}/docs")


def memory_mebibytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--urls", type=int, default=1_000_000)
    options = parser.parse_args()
    tenth = options.urls // 10
    rates = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state.sqlite"
        state = SqliteState(path)
        source = records(options.urls)
        for part in range(10):
            seconds = 0.0
            for _ in range(tenth // LINKS_OF_A_PAGE):
                page = list(islice(source, LINKS_OF_A_PAGE))
                began = time.process_time()
                with state.transaction():
                    for record in page:
                        state.urls.add(record)
                seconds += time.process_time() - began
            rates.append(tenth / seconds)
            size = sum(file.stat().st_size for file in path.parent.glob("state.sqlite"))
            print(
                f"{(part + 1) * tenth:>10} URLs: {rates[-1]:>7.0f} adds a CPU second, "
                f"{size / ((part + 1) * tenth):.0f} bytes a URL, {memory_mebibytes():.0f} MiB at most",
                flush=True,
            )
        print(f"last tenth / first tenth: {rates[-1] / rates[0]:.2f}")
        leases(state)
        state.close()


def leases(state: SqliteState) -> None:
    """Leases and decisions, each in a transaction of its own."""
    sites = list(state.urls.sites())[:200]
    began, done = time.process_time(), 0
    for _ in range(50):
        for site in sites:
            for record in state.urls.lease(0.0, 1e9, 1, [site]):
                done += 1
                with state.transaction():
                    state.urls.decide(UrlRecord(record.key, "", status="fetched"))
    print(f"lease and decision: {done / (time.process_time() - began):.0f} a CPU second")


if __name__ == "__main__":
    main()
