"""Killed in the middle of writing, again and again: is the index whole after the next crawl that ends?

    uv run python benchmarks/index_kill.py FOLDER [--kills 20] [--stored 4]

FOLDER is a static website as for index_changes.py. Each crawl with hashing models is ended by SIGKILL shortly
after it stored some pages, at another moment each time, and its text changes in between. Then one crawl
runs to its end, and `scrapy verify` has to find nothing.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from index_changes import QUICK, ChangingSite, scrapy, step


def killed_crawl(output: Path, site: ChangingSite, stored: int, delay_seconds: float) -> int:
    """Crawl until some pages are stored, wait a little, kill; how many pages were stored by then."""
    values = {**QUICK, "OUTPUT_DIR": str(output), "LOG_LEVEL": "DEBUG"}
    given = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", "seeds", "-a", f"domains={site.url}", *given],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    seen = 0
    for line in process.stderr:
        seen += "Stored: " in line
        if seen == stored:
            time.sleep(delay_seconds)
            break
    process.send_signal(signal.SIGKILL)
    process.stderr.close()
    process.wait()
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--stored", type=int, default=4, help="pages stored before a kill")
    options = parser.parse_args()
    site = ChangingSite(options.folder)
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "output"
        for number in range(options.kills):
            # Every other kill meets documents that are stored already and have changed.
            site.edits = dict.fromkeys(
                (path.name for path in options.folder.glob("*.html")),
                lambda text, number=number: text.replace("<p>", f"<p>Edition {number // 2}. ", 3),
            )
            seen = killed_crawl(output, site, options.stored, delay_seconds=0.013 * number)
            checked = scrapy(output, "verify")
            print(
                f"kill {number + 1:>2} after {seen} pages; verify {checked.returncode}: "
                f"{checked.stdout.strip().splitlines()[-1:]}",
                flush=True,
            )
        step("crawl to the end", output, site)
    site.server.shutdown()


if __name__ == "__main__":
    main()
