"""Names of settings that are not read, although one is nearly called that."""

import difflib
from collections.abc import Collection, Iterable, Iterator

_NEAR = 0.8
# The environment is full of names that are no settings.
_NEAR_IN_ENVIRONMENT = 0.88


def known_names() -> frozenset[str]:
    """Every setting of ours and of Scrapy's."""
    from scrapy.settings import default_settings

    from ragcrawler import settings

    ours = {name for name in vars(settings) if name.isupper()}
    return frozenset({*ours, *default_settings.__all__})


def name_warnings(given: Iterable[str]) -> Iterator[str]:
    """A sentence for each name that is probably misspelt, or given where it is not read.

    Args:
        given: names of settings, by `-s` or in a project's settings; `.env` and the environment are looked
            through as well.
    """
    from ragcrawler.environment import environment_names

    known = known_names()
    readable, in_file, in_either = environment_names()
    for name, near in nearest_names(given, known, _NEAR):
        yield f"there is no setting {name}: did you mean {near}?"
    for name, near in nearest_names(in_file, known, _NEAR):
        yield f".env gives {name}, which is no setting: did you mean {near}?"
    for name in sorted(in_file & (known - readable)):
        elsewhere = "in the environment" if name == "RAGCRAWLER_ROOT" else f"as -s {name}=..."
        yield f".env gives {name}, which is not read from there: give it {elsewhere}"
    for name, near in nearest_names(in_either - in_file, readable, _NEAR_IN_ENVIRONMENT):
        yield f"the environment gives {name}, which is no setting: did you mean {near}?"


def nearest_names(given: Iterable[str], known: Collection[str], near: float) -> Iterator[tuple[str, str]]:
    """Each name that is not known and resembles one that is, with that one; case does not count.

    Args:
        given: names.
        known: in capital letters.
        near: least resemblance, from 0 to 1 (`difflib.SequenceMatcher.ratio`).
    """
    for name in sorted(set(given) - set(known)):
        found = difflib.get_close_matches(name.upper(), known, n=1, cutoff=near)
        if found:
            yield name, found[0]
