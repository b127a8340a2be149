"""Take pages and sites out of a collection, and keep them out."""

from collections.abc import Mapping, Sequence

from ragcrawler.bootstrap.catalogue_place import catalogue_place
from ragcrawler.bootstrap.start_error import StartError, start_errors
from ragcrawler.catalogue import KeptOutEntry
from ragcrawler.config.configuration import Configuration
from ragcrawler.run.removal.place import open_premises
from ragcrawler.run.removal.remove import Removed, Remover
from ragcrawler.run.removal.request import RemovalRequest, TargetError, find_removal, pattern_of

__all__ = ["RemovalRequest", "Removed", "TargetError", "allow", "finish_removals", "kept_out", "remove"]


def remove(settings: Mapping[str, object], request: RemovalRequest, *, is_dry: bool = False) -> Removed:
    """Remove pages and sites from the collection of the settings, after what earlier removals left undone.

    Args:
        settings: all of them.
        request: what is to be removed.
        is_dry: only say what would be.

    Raises:
        TargetError: a target is none.
        StartError: there is no such collection, another process writes to it, or a part of
            it cannot be changed. What was begun is finished by the next call, or by `finish_removals`.
    """
    with start_errors():
        configuration = Configuration.from_settings(settings)
        place = catalogue_place(configuration)
        if not (request.keeps_out or place.exists()):
            raise StartError(f"there is no catalogue at {place}; crawl something first")
        with open_premises(settings, configuration, writes=not is_dry) as premises:
            removal = find_removal(premises.catalogue, request)
            remover = Remover(premises, is_dry=is_dry)
            if not is_dry:
                remover.finish()
            return remover.remove(removal, keeps_out=request.keeps_out)


def finish_removals(settings: Mapping[str, object]) -> Removed:
    """Do what earlier removals left undone, and remove what is kept out and came in some other way.

    Raises:
        StartError: see `remove`.
    """
    with start_errors():
        configuration = Configuration.from_settings(settings)
        if not catalogue_place(configuration).exists():
            return Removed()
        with open_premises(settings, configuration, writes=True) as premises:
            return Remover(premises).finish()


def kept_out(settings: Mapping[str, object]) -> Sequence[KeptOutEntry]:
    """What is kept out of the collection of the settings, in the order of the patterns.

    Raises:
        StartError: the catalogue cannot be read.
    """
    with start_errors():
        place = catalogue_place(Configuration.from_settings(settings))
        if not place.exists():
            return []
        with place.open() as catalogue:
            return catalogue.kept_out()


def allow(settings: Mapping[str, object], targets: Sequence[str]) -> int:
    """Let pages and sites in again: the next crawl may bring them; how many entries were struck.

    Raises:
        TargetError: one of them is not kept out by an entry of its own; nothing is changed then.
        StartError: the catalogue cannot be changed.
    """
    with start_errors(), catalogue_place(Configuration.from_settings(settings)).open() as catalogue:
        patterns = [pattern_of(catalogue, target) for target in targets]
        known = {each.pattern for each in catalogue.kept_out()}
        for target, pattern in zip(targets, patterns, strict=True):
            if pattern not in known:
                raise TargetError(
                    f"{target} has no entry on the list of what is kept out: `scrapy remove --list` shows it"
                )
        return catalogue.allow(patterns)
