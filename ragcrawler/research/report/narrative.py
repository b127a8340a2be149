"""The text of a report: a model writes sentences that name facts, and those that do not stand are struck."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ragcrawler.llm.calls.caller import ModelCaller
from ragcrawler.llm.calls.model import CallRequest
from ragcrawler.llm.protocol import LanguageModelError, Prompt
from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.check import SentenceCheck
from ragcrawler.research.table import TableRow
from ragcrawler.research.templates import Template

_VERSION = "report-1"
_ROWS_A_CALL = 10
_FACTS_A_VALUE = 2
_OUTPUT_TOKENS = 4_000

_WRITE = """\
You write a part of a report. You are shown its goal and rows of facts, each fact with an id, as JSON. Write
one to three sentences about each row, in the language of the goal. A sentence names the thing that the row is
about, says one or more of its facts, and gives the ids of exactly these facts. Say nothing that no fact says.
Where values contradict each other, say that sources differ, and give both."""


class SentenceForm(BaseModel):
    """A sentence of the report."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=1_000)]
    facts: Annotated[list[str], Field(description="The ids of the facts that it says", max_length=20)]


class NarrativeForm(BaseModel):
    """A part of the report."""

    model_config = ConfigDict(extra="forbid")

    sentences: Annotated[list[SentenceForm], Field(max_length=200)]


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence that stands, and the facts that bear it out."""

    text: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Narrative:
    """The text of a report.

    Attributes:
        sentences: that stand.
        struck: those that do not, each with the reason.
        errors: of calls that brought nothing.
    """

    sentences: tuple[CitedSentence, ...] = ()
    struck: tuple[tuple[str, str], ...] = ()
    errors: tuple[str, ...] = ()


async def write_narrative(
    caller: ModelCaller, goal: str, rows: Sequence[TableRow], template: Template
) -> Narrative:
    """Have a model write about rows; without rows no model is asked, and nothing is written."""
    facts = {fact.id: fact for row in rows for fact in _shown_facts(row)}
    check = SentenceCheck(facts, template)
    sentences: list[CitedSentence] = []
    struck: list[tuple[str, str]] = []
    errors: list[str] = []
    for start in range(0, len(rows), _ROWS_A_CALL):
        part = rows[start : start + _ROWS_A_CALL]
        request = CallRequest(NarrativeForm, _prompt(goal, part, template), _VERSION, _OUTPUT_TOKENS)
        try:
            reply = await caller.fill(request)
        except LanguageModelError as error:
            errors.append(str(error))
            continue
        for each in reply.form.sentences:
            verdict = check.judge(each.text, each.facts)
            if verdict.stands:
                cited = tuple(facts[fact_id] for fact_id in dict.fromkeys(each.facts))
                sentences.append(CitedSentence(" ".join(each.text.split()), cited))
            else:
                struck.append((each.text, verdict.fault))
    return Narrative(tuple(sentences), tuple(struck), tuple(errors))


def _shown_facts(row: TableRow) -> Iterator[Fact]:
    """The facts that a model is shown: the best ones for each value."""
    for cell in row.cells.values():
        for value in cell.values:
            yield from value.facts[:_FACTS_A_VALUE]


def _prompt(goal: str, rows: Sequence[TableRow], template: Template) -> Prompt:
    shown = [
        {
            "name": row.name(template),
            "facts": [{"id": fact.id, "field": fact.path, "value": fact.value} for fact in _shown_facts(row)],
            "contradicted": [path for path, cell in row.cells.items() if cell.state == "contradicted"],
        }
        for row in rows
    ]
    material = json.dumps({"rows": shown}, ensure_ascii=False)
    return Prompt(_WRITE, material, json.dumps({"goal": goal}, ensure_ascii=False))
