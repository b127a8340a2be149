"""One server, a crawl that writes through it, and searches meanwhile: nothing fails, and all is found.

uv run python benchmarks/serve_crawl.py --searches 1000
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from ragcrawler.site_server import DEMO_SITE, SiteServer

MODELS = ("EMBEDDING_MODEL=hashing/384", "SPARSE_EMBEDDING_MODEL=hashing/sparse")
QUESTIONS = ("rotate the logs", "winter mode", "sensors", "backup", "http interface")


def settings(output: Path, *more: str) -> list[str]:
    given = [f"OUTPUT_DIR={output}", "QDRANT_URL=", *MODELS, *more]
    return [part for each in given for part in ("-s", each)]


def start_server(output: Path) -> tuple["subprocess.Popen[str]", str, float]:
    """The server, its address, and the seconds until it answered."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "scrapy", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, *settings(output, "SERVER_REQUESTS_PER_SECOND=100000")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    url = process.stdout.readline().split()[2]
    httpx.get(f"{url}health", trust_env=False).raise_for_status()
    return process, url, time.perf_counter() - began


def search_while(crawl: "subprocess.Popen[bytes]", url: str, searches: int) -> dict[str, object]:
    """Searches until there were enough and the crawl has ended; counts what went wrong."""
    seconds, statuses, most, number = [], {}, 0, 0
    with httpx.Client(base_url=url, trust_env=False, timeout=60) as client:
        while number < searches or crawl.poll() is None:
            began = time.perf_counter()
            answer = client.get("/api/search", params={"q": QUESTIONS[number % len(QUESTIONS)]})
            seconds.append(time.perf_counter() - began)
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
            most = max(most, len(answer.json().get("hits", [])))
            number += 1
    ordered = sorted(seconds)
    return {
        "searches": number,
        "statuses": statuses,
        "most_hits": most,
        "p50_ms": round(1000 * ordered[len(ordered) // 2], 1),
        "p99_ms": round(1000 * ordered[int(len(ordered) * 0.99)], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=1_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, SiteServer(DEMO_SITE) as site:
        output = Path(folder)
        server, url, seconds = start_server(output)
        try:
            command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}"]
            quick = ("LOG_LEVEL=ERROR", "PROGRESS_ENABLED=0", "AUTOTHROTTLE_ENABLED=0", "DOWNLOAD_DELAY=0.2")
            crawl = subprocess.Popen([*command, *settings(output, *quick)])
            found = search_while(crawl, url, options.searches)
            asked = [sys.executable, "-m", "scrapy", "search", "rotate the logs", "--json", *settings(output)]
            lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
            numbers = httpx.get(f"{url}api/stats", trust_env=False).json()
        finally:
            server.terminate()
            server.wait()
    print(
        json.dumps(
            {
                "start_seconds": round(seconds, 2),
                "crawl_exit_code": crawl.returncode,
                **found,
                "chunks": numbers["chunks"],
                "documents": numbers["documents"],
                "hits_of_scrapy_search": len(lines),
                "server_exit_code": server.returncode,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
