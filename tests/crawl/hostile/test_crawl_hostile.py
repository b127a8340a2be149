"""Each trick of a hostile site ends with its reason, and the crawl goes on.

One crawl as a user runs it: on the reactor, in a process of its own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[3]
SETTINGS = {
    "QDRANT_URL": "",
    "EMBEDDING_MODEL": "hashing/384",
    "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
    "JAVASCRIPT": "never",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "RETRY_ENABLED": "False",
    "DOWNLOAD_TIMEOUT": "3",
    "DOWNLOAD_MAXSIZE": "8000000",
    "TRAP_MAX_DATES": "12",
    "SITE_MAX_FAILURES": "100",
    "ROBOTS_RETRY_SECONDS": "0.1",
    "TWISTED_DNS_RESOLVER": "hostile_resolver.HostileResolver",
    "LOG_LEVEL": "WARNING",
}


# A process counts as its own peak what its parent held when it was forked: this small one stands between.
MEASURED = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
with open(sys.argv[1], "w") as peak:
    peak.write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.fixture(scope="module")
def report(site: Any, impostor: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of the crawl, with its exit code and the most memory it took."""
    output = tmp_path_factory.mktemp("output")
    settings = [f"{name}={value}" for name, value in {**SETTINGS, "OUTPUT_DIR": str(output)}.items()]
    arguments = [
        "crawl",
        "seeds",
        "-a",
        f"domains={site.url},{impostor.url},*.evil.example:{site.secret.port}",
    ]
    with (output / "log").open("wb") as errors:
        process = subprocess.run(
            [
                sys.executable,
                "-c",
                MEASURED,
                str(output / "peak"),
                sys.executable,
                "-m",
                "scrapy",
                *arguments,
                *(part for value in settings for part in ("-s", value)),
            ],
            cwd=PROJECT,
            env=os.environ
            | {
                "PYTHONPATH": str(Path(__file__).parent),
                "HF_HUB_OFFLINE": "1",
                "CONTACT": "anna@example.org",
            },
            stderr=errors,
            check=False,
        )
    peak = int((output / "peak").read_text(encoding="utf-8"))
    log = (output / "log").read_text(encoding="utf-8")
    (path,) = output.glob("runs/*/report.json")
    extra = {"exit": process.returncode, "peak_mebibytes": peak / 1024, "log": log}
    return {**json.loads(path.read_text(encoding="utf-8")), **extra}


def test_the_crawl_ends_and_its_numbers_add_up(report: dict[str, Any]) -> None:
    assert report["end"] == "finished"
    assert report["disagreements"] == []
    assert report["exit"] == 4
    assert "Traceback" not in report["log"]


def test_nothing_private_is_reached(report: dict[str, Any], site: Any) -> None:
    assert site.secret.connections == 0
    assert site.paths.count("/private") == 2  # asked for itself, and redirected to


def test_a_site_with_a_wrong_certificate_is_asked_for_nothing(report: dict[str, Any], impostor: Any) -> None:
    assert impostor.requests == 0
    assert report["pages"]["failed"]["robots_unavailable"] == 1


def test_sites_see_whom_to_write_to(report: dict[str, Any], site: Any) -> None:
    (agent,) = site.agents
    assert agent.startswith("ragcrawler/")
    assert agent.endswith(" (anna@example.org)")


def test_each_trick_has_its_reason(report: dict[str, Any]) -> None:
    assert report["pages"]["skipped"] == {
        "offsite": 3,  # two links and a redirect to another port
        "private_address": 3,  # a name that resolves to it: a link, a redirect, a chain of them
        "unsafe_url": 2,  # redirects to a file, and to what is no URL
        "redirect_loop": 2,  # in a circle, and ever on
        "trap_calendar": 2,
        "trap_length": 1,
        "trap_repetition": 1,
        "soft_404": 4,
    }
    assert report["pages"]["failed"] == {
        "unknown_host": 1,
        "robots_unavailable": 1,  # a certificate that nobody vouches for
        "timed_out": 1,  # a byte now and then
        "too_large": 5,  # endless body, a gigabyte, endless headers, a bomb, a nested one
        "cut_off": 2,  # shorter than it claims; chunks that are none
        "damaged": 1,  # compressed by its word alone
        "download_error": 2,  # nothing at all; no status
    }


def test_what_can_be_read_is_kept_once(report: dict[str, Any], site: Any) -> None:
    calendar, growing, longer, sessions = 12, 3, 5, 1
    plain = len(["start", "good", "longer than it claims", "utf-16", "punycode"])
    assert report["pages"]["fetched"] == calendar + growing + longer + sessions + plain
    assert sum(path.startswith("/session") for path in site.paths) == 1
    assert report["stats"]["ragcrawler/soft_404/questions"] == 1
    assert report["stats"]["ragcrawler/guard/private_address"] == 4  # and its robots.txt


def test_memory_is_bounded(report: dict[str, Any]) -> None:
    assert report["peak_mebibytes"] < 450
