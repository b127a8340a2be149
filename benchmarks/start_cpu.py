"""CPU seconds, user and system, of a start: `--help`, the seeds spider, a search until its first model.

And of a search beside a server; and how many modules of ours the seeds spider loads.

    uv run python benchmarks/start_cpu.py [--rounds 5]

It crawls a folder of three files first, with the models that `auto` chooses, and takes about 20 s a round.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

# A search that ends when its first model is chosen: what it has taken until then is its start.
UNTIL_MODEL = """
import os, sys
from scrapy.cmdline import execute

class Watch:
    def find_spec(self, name, path, target=None):
        if name == "qdrant_edge":  # the store is opened: the parts of a search are imported
            from ragcrawler.bootstrap.models import lazy_embedders
            lazy_embedders.select_models = lambda *_: os._exit(0)

sys.meta_path.insert(0, Watch())
sys.path.insert(0, "")
execute(["scrapy", *sys.argv[1:]])
"""
# As `scrapy crawl seeds` finds its spider.
SEEDS_SPIDER = """
import sys
from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader
settings = Settings()
settings.setmodule("ragcrawler.settings")
get_spider_loader(settings).load("seeds")
if "--count" in sys.argv:
    print("modules of ours for the seeds spider:", sum(name.startswith("ragcrawler") for name in sys.modules))
"""
FILES = {"pumps": "A pump needs a filter.", "valves": "The valve closes to the left.", "vents": "Vents open."}
SEARCH = ("search", "which valve closes?")


def environment(folder: Path) -> dict[str, str]:
    """This one's, with bytecode, as wherever nobody forbids it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def cpu_seconds(command: Sequence[str], folder: Path) -> float:
    """Of a command and its children, to its end."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, env=environment(folder))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def report(name: str, command: Sequence[str], folder: Path, rounds: int) -> None:
    cpu_seconds(command, folder)  # writes the bytecode
    took = sorted(cpu_seconds(command, folder) for _ in range(rounds))
    print(
        f"{name:30} least {took[0]:.2f}  median {statistics.median(took):.2f}  most {took[-1]:.2f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    scrapy = (sys.executable, "-m", "scrapy")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = ragcrawler.settings\n")
        (folder / "docs").mkdir()
        for name, text in FILES.items():
            (folder / "docs" / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
        cpu_seconds((*scrapy, "crawl", "files", "-a", "path=docs", "--loglevel", "ERROR"), folder)
        report("--help", (*scrapy, "--help"), folder, rounds)
        report("the seeds spider", (sys.executable, "-c", SEEDS_SPIDER), folder, rounds)
        subprocess.run([sys.executable, "-c", SEEDS_SPIDER, "--count"], cwd=folder, check=True)
        report("search, until a model", (sys.executable, "-c", UNTIL_MODEL, *SEARCH), folder, rounds)
        report("search, all of it", (*scrapy, *SEARCH), folder, rounds)
        server = subprocess.Popen(
            (*scrapy, "serve", "--port", "0"),
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(folder),
        )
        with server:
            assert server.stdout is not None
            print(server.stdout.readline(), end="")
            report("search beside scrapy serve", (*scrapy, *SEARCH), folder, rounds)
            server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
