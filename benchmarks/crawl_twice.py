"""The transfers and the work of a second crawl of an unchanged site.

    python benchmarks/crawl_twice.py FOLDER

FOLDER holds a website as files, one whose pages link to each other. It is served on this machine with an
`ETag` and a `Last-Modified` for each page, and crawled twice into one collection, through all pipelines, with
models that need no files. Bytes are those that the server sent, headers included.
"""

import argparse
import functools
import json
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO

PACKAGE = Path(__file__).parents[1]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    sent = 0


class Counted:
    """A response's stream that counts."""

    def __init__(self, stream: BinaryIO, server: Server) -> None:
        self._stream, self._server = stream, server

    def write(self, data: bytes) -> int:
        self._server.sent += len(data)
        return self._stream.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        self.wfile = Counted(self.wfile, self.server)  # type: ignore[assignment,arg-type]

    def log_message(self, *_: object) -> None:
        pass


def crawl(url: str, output: str) -> dict[str, Any]:
    settings = {
        "OUTPUT_DIR": output,
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "DOWNLOAD_DELAY": "0",
        "AUTOTHROTTLE_ENABLED": "False",
        "LOG_LEVEL": "WARNING",
    }
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={url}", *options]
    subprocess.run(command, cwd=PACKAGE, check=False)
    newest = max(Path(output).glob("runs/*/report.json"), key=lambda path: path.stat().st_mtime_ns)
    return json.loads(newest.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=str(options.folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sent = []
    with tempfile.TemporaryDirectory() as output:
        for title in ("first", "second"):
            server.sent = 0
            report = crawl(f"http://127.0.0.1:{server.server_address[1]}/", output)
            sent.append(server.sent)
            pages, stats = report["pages"], report["stats"]
            print(
                f"{title:6} {pages['seen']} URLs seen, {pages['fetched']} fetched, "
                f"{pages['skipped'].get('unchanged', 0)} unchanged, {sum(pages['failed'].values())} failed; "
                f"{server.sent:,} bytes sent"
            )
            print(
                f"       {stats.get('ragcrawler/convert/documents', 0)} documents converted, "
                f"{stats.get('ragcrawler/embed/texts', 0)} texts embedded, "
                f"{stats.get('ragcrawler/upsert/points', 0)} points written or confirmed, "
                f"{report['collection_points']} in the collection; {report['elapsed_seconds']:.0f} s"
            )
    print(f"the second sent {sent[1] / sent[0]:.2%} of the bytes of the first")
    server.shutdown()


if __name__ == "__main__":
    main()
