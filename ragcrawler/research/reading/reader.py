"""Reads a page: a language model points at sentences, and what they bear out become facts."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from ragcrawler.llm.calls.budget import BudgetSpentError
from ragcrawler.llm.calls.caller import ModelCaller
from ragcrawler.llm.calls.model import CallRequest
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.evidence.sentences import Sentence
from ragcrawler.research.questions import Question
from ragcrawler.research.reading.facts_of_rows import RowReader
from ragcrawler.research.reading.forms import (
    VERSION,
    SeedQuestions,
    reading_form,
    reading_prompt,
    seed_prompt,
)
from ragcrawler.research.reading.page_text import PageText, shown
from ragcrawler.research.templates import Template

_SEED_TOKENS = 500


@dataclass(frozen=True, slots=True)
class ReadingConfig:
    """How pages are read.

    Attributes:
        part_characters: of sentences that one call is shown.
        max_parts: of one page; what is behind them is counted and not read.
        output_tokens: of an answer.
    """

    part_characters: int = 12_000
    max_parts: int = 8
    output_tokens: int = 4_000


@dataclass(frozen=True, slots=True)
class FoundLead:
    """Something that a page mentions and does not explain.

    Attributes:
        question: that would explain it.
        sentence: our own text that mentions it, "" where the model pointed at none.
    """

    question: str
    sentence: str


@dataclass(slots=True)
class Reading:
    """What came of reading a page.

    Attributes:
        facts: each once; unverified ones among them.
        leads: in the order of the page.
        invented: values for which the model gave the number of no sentence.
        unread_parts: behind the bound.
        errors: of the parts that could not be read; nothing is concluded from them.
        is_over_budget: a part was not read because the budget is spent.
    """

    facts: dict[str, Fact] = field(default_factory=dict)
    leads: list[FoundLead] = field(default_factory=list)
    invented: int = 0
    unread_parts: int = 0
    errors: list[str] = field(default_factory=list)
    is_over_budget: bool = False


class PageReader:
    """Has a language model read pages for one template.

    Args:
        caller: makes the calls, each paid once.
        template: of the rows.
        config: how.
    """

    def __init__(self, caller: ModelCaller, template: Template, config: ReadingConfig | None = None) -> None:
        self._caller = caller
        self._template = template
        self._config = config or ReadingConfig()
        self._form = reading_form(template)

    async def seed_questions(self, goal: str) -> list[str]:
        """Three to five questions with which to begin.

        Raises:
            LanguageModelError: no valid answer came.
        """
        request = CallRequest(SeedQuestions, seed_prompt(goal, self._template), VERSION, _SEED_TOKENS)
        reply = await self._caller.fill(request)
        return list(dict.fromkeys(reply.form.questions))

    async def read(self, page: PageText, question: Question) -> Reading:
        """Read a page. A part that fails is an error of the reading, and refutes nothing."""
        reading = Reading()
        parts = list(page.parts(self._config.part_characters))
        reading.unread_parts = max(0, len(parts) - self._config.max_parts)
        parts = parts[: self._config.max_parts]
        await asyncio.gather(*(self._read_part(page, part, question, reading) for part in parts))
        return reading

    async def _read_part(
        self, page: PageText, sentences: Sequence[Sentence], question: Question, reading: Reading
    ) -> None:
        prompt = reading_prompt(question.text, self._template, page.title, shown(sentences, page.markdown))
        request = CallRequest(self._form, prompt, VERSION, self._config.output_tokens)
        try:
            reply = await self._caller.fill(request)
        except LanguageModelError as error:
            reading.errors.append(str(error))
            reading.is_over_budget |= isinstance(error, BudgetSpentError)
            return
        answer = reply.form.model_dump()
        rows = RowReader(page, sentences, self._template, question.id)
        for row in answer["rows"]:
            reading.facts.update((fact.id, fact) for fact in rows.facts(row))
        reading.invented += rows.invented
        texts = {sentence.number: sentence.text(page.markdown) for sentence in sentences}
        reading.leads += [
            FoundLead(lead["question"], texts.get(lead["sentence"], "")) for lead in answer["leads"]
        ]
