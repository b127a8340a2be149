"""Summaries through SIGKILLs: the short version of `benchmarks/summary_kills.py`."""

import re
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "summary_kills.py"


def test_a_kill_costs_no_more_than_the_calls_that_were_under_way() -> None:
    ended = subprocess.run(
        [sys.executable, BENCHMARK, "--kills", "2", "--passages", "30", "--concurrency", "3"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    rows = {
        words: int(number) for words, number in re.findall(r"^\| ([^|]+) \| (\d+) \|$", ended.stdout, re.M)
    }
    assert rows["kills"] == 2
    assert rows["calls billed"] == 30 + rows["of these a second time"]
    assert rows["lost by one kill, at most"] <= 3
    assert rows["calls billed to a run after the last"] == 0
