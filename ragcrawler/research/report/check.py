"""Whether the facts that a sentence names bear it out: by rule, without a model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragcrawler.research.evidence.dates import dates
from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.evidence.plain_text import holds, plain, words
from ragcrawler.research.evidence.values import content_words, negations, numbers_of, support
from ragcrawler.research.templates import Field, Template

# Of the words that say something, so many have to come from the facts, or from the template's own words.
_KNOWN_SHARE = 0.5
_NEGATION_REACH = 8  # words between a denial and what it denies
_NAME = re.compile(r"[^\W\d_]*[A-Z][^\W_]*(?:['.-][^\W_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+)[\"'(]*([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """What the check found.

    Attributes:
        fault: why the sentence is struck, in a few words; "" where it stands.
    """

    fault: str = ""

    @property
    def stands(self) -> bool:
        """Whether the facts bear the sentence out."""
        return not self.fault


class SentenceCheck:
    """Holds sentences against the facts that they name.

    Args:
        facts: that a report may use, by id.
        template: of their rows.
    """

    def __init__(self, facts: Mapping[str, Fact], template: Template) -> None:
        self._facts = facts
        self._fields = {leaf.path: leaf.field for leaf in template.leaves}
        self._own_words = _template_words(template)
        by_row: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        for fact in facts.values():
            if fact.path in template.key:
                by_row.setdefault(fact.row, set()).add(words(str(fact.value)))
        self._names = by_row

    def judge(self, sentence: str, fact_ids: Sequence[str]) -> SentenceVerdict:
        """Whether a sentence stands.

        Every fact that it names has to be said in it, of the right thing; and it may say no number, date,
        name or denial that their quotes do not.
        """
        cited = [self._facts[each] for each in fact_ids if each in self._facts]
        if not cited or len(cited) < len(fact_ids):
            return SentenceVerdict(
                "it names no fact" if not fact_ids else "it names a fact that there is not"
            )
        for fact in cited:
            if fault := self._fault_of(fact, sentence):
                return SentenceVerdict(fault)
        quotes, values = ([fact.quote.text for fact in cited], [str(fact.value) for fact in cited])
        names = [" ".join(name) for fact in cited for name in self._names.get(fact.row, ())]
        return SentenceVerdict(self._strange(sentence, " \n".join((*quotes, *values, *names))))

    def _fault_of(self, fact: Fact, sentence: str) -> str:
        """Why a sentence does not say a fact; "" where it does."""
        if not fact.is_shown:
            return f"the page does not bear {fact.id} out"
        said = words(sentence)
        if not any(holds(said, name) for name in self._names.get(fact.row, ())):
            return f"it does not name what {fact.id} is about"
        field: Field = self._fields[fact.path]
        if field.kind != "bool" and support(fact.value, field, sentence) == "unverified":
            return f"it does not say the value of {fact.id}"
        if _is_denied(fact, sentence) != _is_denied(fact, fact.quote.text):
            return f"it denies what {fact.id} says, or does not deny what it denies"
        return ""

    def _strange(self, sentence: str, known: str) -> str:
        """What a sentence says that nothing known bears out; "" for nothing."""
        known_words = frozenset(words(known))
        if strange := numbers_of(sentence) - numbers_of(known):
            return f"no fact has the number {min(strange)}"
        known_dates = list(dates(known))
        for said in dates(sentence):
            if not any(said.includes(each) for each in known_dates):
                return f"no fact has the date {said}"
        if strange_names := _names(sentence) - known_words - self._own_words:
            return f"no fact has the name {min(strange_names)}"
        said_words = content_words(words(sentence))
        known_share = len(said_words & (known_words | self._own_words)) / max(1, len(said_words))
        return "" if known_share >= _KNOWN_SHARE else "most of its words stand in no fact"


def _is_denied(fact: Fact, text: str) -> bool:
    """Whether a denial stands before the value of a fact, or right behind it."""
    said, value = words(text), words(str(fact.value))
    if not negations(text):
        return False
    for start in range(len(said) - len(value) + 1):
        if value and said[start : start + len(value)] == value:
            around = said[max(0, start - _NEGATION_REACH) : start + len(value) + 3]
            return bool(negations(" ".join(around)))
    return True


def _names(sentence: str) -> frozenset[str]:
    """The words that are written with a capital, but those that begin a sentence."""
    bare = plain(sentence)
    first = {match.start(1) for match in _SENTENCE_START.finditer(bare)}
    found = (match.group() for match in _NAME.finditer(bare) if match.start() not in first)
    return frozenset(word for name in found for word in words(name))


def _template_words(template: Template) -> frozenset[str]:
    texts = [template.name, template.description]
    for leaf in template.leaves:
        texts += [leaf.path.replace("_", " ").replace(".", " "), leaf.field.description]
    return frozenset(word for text in texts for word in words(text.replace("_", " ")))
