"""CPU a page of a crawl without pipelines, beside Scrapy's own CrawlSpider on the same site in the same run.

    python benchmarks/crawl_cpu.py FOLDER [--rounds 3]

FOLDER holds a website as files, one whose pages link to each other: the HTML manual of a program, say. It is
served on this machine by a process of its own. Each side crawls all of it as fast as it can, in a process of
its own, whose user and system time is taken, the shortest of the rounds; that of a crawl of the start page
alone is subtracted. Scrapy's
side follows the links of its LinkExtractor with its default settings and yields an item with each URL. Ours
is `scrapy crawl seeds` with its own settings, but for pipelines and delay: robots.txt, robots tags, scope,
filters, canonical URLs, ledger, conditional requests and report are all at work.
"""

import argparse
import functools
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path

SCRAPYS = """
import sys
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class Pages(CrawlSpider):
    name = "pages"
    start_urls = [sys.argv[1]]
    links = LinkExtractor(allow=["//127[.]0[.]0[.]1[:/]"])
    rules = [Rule(links, callback="item", follow=True)] * int(sys.argv[2])

    def item(self, response):
        return {"url": response.url}

quiet = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False}
process = CrawlerProcess(quiet)
process.crawl(Pages)
process.start()
"""
PACKAGE = Path(__file__).parents[1]


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def send_response(self, code: int, message: str | None = None) -> None:
        self.server.statuses.append(code)  # type: ignore[attr-defined]  # set in `serve`
        super().send_response(code, message)


def serve(folder: str, pipe: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    server.statuses = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pipe.send(server.server_address[1])
    while True:
        pipe.recv()
        pipe.send(server.statuses.count(200))  # type: ignore[attr-defined]
        server.statuses.clear()  # type: ignore[attr-defined]


def cpu_seconds(command: list[str]) -> float:
    process = subprocess.Popen(command, cwd=PACKAGE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def scrapys(url: str, *, whole: bool) -> float:
    return cpu_seconds([sys.executable, "-c", SCRAPYS, url, str(int(whole))])


def ours(url: str, *, whole: bool) -> float:
    with tempfile.TemporaryDirectory() as output:
        settings = {
            "ITEM_PIPELINES": "{}",
            "DOWNLOAD_DELAY": "0",
            "AUTOTHROTTLE_ENABLED": "False",
            "OUTPUT_DIR": output,
            "LOG_LEVEL": "ERROR",
        }
        options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        pages = [] if whole else ["-a", "max_depth=0"]
        crawl = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={url}"]
        return cpu_seconds([*crawl, *pages, *options])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(str(options.folder), there), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{here.recv()}/"

    def answered() -> int:
        here.send("statuses")
        return int(here.recv())

    sides = (scrapys, ours)
    alone: dict[str, list[float]] = {side.__name__: [] for side in sides}
    whole: dict[str, list[float]] = {side.__name__: [] for side in sides}
    pages: dict[str, int] = {}
    for _ in range(options.rounds):
        for side in sides:
            alone[side.__name__].append(side(url, whole=False))
            few = answered()
            whole[side.__name__].append(side(url, whole=True))
            pages[side.__name__] = answered() - few
    # Whatever else a machine does makes CPU times longer, never shorter.
    figures = {name: (min(whole[name]) - min(alone[name])) / pages[name] * 1000 for name in alone}
    for name, milliseconds in figures.items():
        start = min(alone[name])
        print(f"{name:8} {pages[name]:5} pages  {milliseconds:6.2f} ms CPU a page, {start:.2f} s to start")
    print(f"ratio {figures['ours'] / figures['scrapys']:.2f}")
    server.terminate()


if __name__ == "__main__":
    main()
