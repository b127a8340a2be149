"""Take pages and sites out: the intent first, then places one by one, each of which may be asked twice."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from ragcrawler.catalogue import DocumentRecord, KeptOutEntry
from ragcrawler.frontier.filters.kept_out import KeptOut
from ragcrawler.run.removal.place import LeftError, Place, Premises, Taking
from ragcrawler.run.removal.places import ELSEWHERE, PLACES_OF_DOCUMENTS, PLACES_OF_URLS
from ragcrawler.run.removal.request import Removal, covered_documents

_DOCUMENTS_AT_ONCE = 64
_MOST_NAMED = 1_000
_PLACES = (*PLACES_OF_DOCUMENTS, *PLACES_OF_URLS)


@dataclass(frozen=True, slots=True)
class Removed:
    """What was removed, or would be.

    Attributes:
        urls: of the documents, a thousand at the most.
        counts: how much of each place, by its name.
        elsewhere: what of it feeds of earlier runs and researches hold still, by name.
        left: what stays, and why.
        kept_out: what may not come back.
        is_dry: nothing was changed.
    """

    urls: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    kept_out: tuple[KeptOutEntry, ...] = ()
    is_dry: bool = False


class Remover:
    """Removes from one collection.

    Args:
        premises: open.
        is_dry: only look.
    """

    def __init__(self, premises: Premises, *, is_dry: bool = False) -> None:
        self._premises = premises
        self._is_dry = is_dry
        self._counts: Counter[str] = Counter()
        self._elsewhere: Counter[str] = Counter()
        self._urls: list[str] = []
        self._left: dict[str, None] = {}

    def remove(self, removal: Removal, *, keeps_out: bool) -> Removed:
        """Carry out a removal. What a kill leaves undone, `finish` does.

        Raises:
            StoreError: the points could not be deleted.
            CatalogueError: the catalogue could not be read or written.
            OSError: a file could not be changed.
            LanguageModelError: the ledger of calls could not be changed.
        """
        catalogue, kept_out = self._premises.catalogue, removal.entries if keeps_out else ()
        if self._is_dry:
            self._carry_out(removal)
        else:
            number = catalogue.begin_removal(removal.to_json(), kept_out)
            self._carry_out(removal)
            self._erase(place for place in _PLACES if self._counts[place.name])
            catalogue.end_removal(number)
        return self._removed(kept_out)

    def finish(self) -> Removed:
        """Do what earlier removals left undone, and remove what is kept out and came in some other way.

        Raises:
            as `remove`.
        """
        catalogue = self._premises.catalogue
        for number, text in catalogue.open_removals().items():
            self._carry_out(Removal.from_json(text))
            self._erase(_PLACES)  # nobody knows what was taken before
            catalogue.end_removal(number)
        came_in = KeptOut(catalogue.kept_out())
        if any(covered_documents(catalogue, came_in)):
            self.remove(Removal(came_in.entries), keeps_out=True)
        return self._removed()

    def _carry_out(self, removal: Removal) -> None:
        covered = KeptOut(removal.entries)
        self._take_documents(covered)
        for place in PLACES_OF_URLS:
            self._take(place, Taking(covered, is_dry=self._is_dry))
        taking = Taking(covered, is_dry=self._is_dry or not removal.everywhere)
        counts = self._counts if removal.everywhere else self._elsewhere
        for take in ELSEWHERE:
            with self._noting(counts):
                counts.update(take(self._premises, taking))

    def _take_documents(self, covered: KeptOut) -> None:
        for batch in _batches(covered_documents(self._premises.catalogue, covered)):
            self._urls += (record.url for record in batch)
            for place in PLACES_OF_DOCUMENTS:
                self._take(place, Taking(covered, batch, self._is_dry))

    def _erase(self, places: Iterable[Place]) -> None:
        for place in places:
            place.erase(self._premises)

    def _take(self, place: Place, taking: Taking) -> None:
        with self._noting(self._counts):
            self._counts[place.name] += place.take(self._premises, taking)

    @contextmanager
    def _noting(self, counts: Counter[str]) -> Iterator[None]:
        """Note what stays, and how much of it does not."""
        try:
            yield
        except LeftError as error:
            counts.update(error.taken)
            self._left[str(error)] = None

    def _removed(self, kept_out: Sequence[KeptOutEntry] = ()) -> Removed:
        return Removed(
            urls=tuple(self._urls[:_MOST_NAMED]),
            counts={name: count for name, count in self._counts.items() if count},
            elsewhere=dict(self._elsewhere),
            left=tuple(self._left),
            kept_out=tuple(kept_out),
            is_dry=self._is_dry,
        )


def _batches(records: Iterator[DocumentRecord]) -> Iterator[list[DocumentRecord]]:
    while batch := list(islice(records, _DOCUMENTS_AT_ONCE)):
        yield batch
