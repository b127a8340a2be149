"""A model's rows to facts: each value is held against the sentence that the model pointed at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.research.evidence.facts import Fact, PageQuote, fact_id
from ragcrawler.research.evidence.plain_text import holds, words
from ragcrawler.research.evidence.sentences import Sentence
from ragcrawler.research.evidence.values import Support, Value, normal_form, normal_name, support
from ragcrawler.research.reading.page_text import PageText
from ragcrawler.research.templates import Field, Template


@dataclass(frozen=True, slots=True)
class CitedValue:
    """A value of a model's row, and the number of the sentence that it pointed at."""

    path: str
    field: Field
    value: Value
    sentence: int


def cited_values(row: Mapping[str, Any], fields: Sequence[Field], path: str = "") -> Iterator[CitedValue]:
    """The values of a row, as the form of the template holds them; of objects with dots in their paths."""
    for field in fields:
        given = row.get(field.name)
        for each in given if isinstance(given, list) else [given]:
            if each is None:
                continue
            if field.kind == "object":
                yield from cited_values(each, field.fields, f"{path}{field.name}.")
            else:
                yield CitedValue(path + field.name, field, each["value"], each["sentence"])


class RowReader:
    """Makes facts of the rows that a model read in some sentences of a page.

    Args:
        page: the snapshot.
        sentences: that the model was shown.
        template: of the rows.
        question_id: under which it read.

    Attributes:
        invented: values for which the model gave the number of no sentence.
    """

    def __init__(
        self, page: PageText, sentences: Sequence[Sentence], template: Template, question_id: str
    ) -> None:
        self._page = page
        self._quotes = {sentence.number: page.quote(sentence) for sentence in sentences}
        self._words = {number: words(quote.text) for number, quote in self._quotes.items()}
        self._template = template
        self._question_id = question_id
        self.invented = 0

    def facts(self, row: Mapping[str, Any]) -> list[Fact]:
        """The facts of one row; none where a field of its key is empty."""
        values = list(cited_values(row, self._template.fields))
        by_path = {each.path: each for each in values}
        if not all(name in by_path for name in self._template.key):
            return []
        key = tuple(normal_name(by_path[name].value, by_path[name].field) for name in self._template.key)
        names = [words(str(by_path[name].value)) for name in self._template.key]
        return [fact for each in values if (fact := self._fact(each, key, names))]

    def _fact(self, cited: CitedValue, key: tuple[str, ...], names: list[tuple[str, ...]]) -> Fact | None:
        quote, state = self._evidence(cited, names)
        if quote is None:
            self.invented += 1
            return None
        is_key = cited.path in self._template.key
        normal = (normal_name if is_key else normal_form)(cited.value, cited.field)
        return Fact(
            fact_id(key, cited.path, normal, quote),
            key,
            cited.path,
            cited.value,
            normal,
            quote,
            state,
            self._question_id,
            self._page.is_suspicious,
        )

    def _evidence(self, cited: CitedValue, names: list[tuple[str, ...]]) -> tuple[PageQuote | None, Support]:
        """The sentence that was pointed at, or else the only one that holds both value and name."""
        quote = self._quotes.get(cited.sentence)
        state = support(cited.value, cited.field, quote.text) if quote else "unverified"
        if state != "unverified":
            return quote, state
        others = [
            each
            for number, each in self._quotes.items()
            if any(holds(self._words[number], name) for name in names)
            and support(cited.value, cited.field, each.text) == "supported"
        ]
        if len(others) == 1 or (others and cited.path in self._template.key):
            return others[0], "supported"
        return quote, "unverified"
