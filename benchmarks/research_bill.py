"""The calls of a research, by its ledger and by the model that was asked."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from research_model import ReadingModel

CONCURRENCY = 4
"""Calls at once."""


def repeats(log: Sequence[str], answers_at_kills: Sequence[int]) -> tuple[int, int]:
    """Calls that were answered again: without a reason, and because they were under way at a kill."""
    excused: Counter[str] = Counter()
    for answers in answers_at_kills:
        excused.update(log[max(0, answers - CONCURRENCY) : answers])
    twice = {call: count - 1 for call, count in Counter(log).items() if count > 1}
    under_way = sum(min(count, excused[call]) for call, count in twice.items())
    return sum(twice.values()) - under_way, under_way


def calls_without_end(output: Path) -> int:
    with sqlite3.connect(output / "llm_calls.sqlite") as ledger:
        ((count,),) = ledger.execute("SELECT count(*) FROM calls WHERE state != 'paid'").fetchall()
    return int(count)


def bill_difference(output: Path, model: ReadingModel) -> int:
    """Tokens in the ledger against those that the model billed; less what a kill made it bill twice."""
    with sqlite3.connect(output / "llm_calls.sqlite") as ledger:
        ((tokens,),) = ledger.execute("SELECT sum(input_tokens + output_tokens) FROM calls").fetchall()
    billed = sum(model.billed[name] for name in ("prompt_tokens", "completion_tokens"))
    twice = sum((count - 1) * model.tokens[call] for call, count in Counter(model.log).items())
    return int(tokens) - (billed - twice)
