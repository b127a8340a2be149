"""Which states to try: at each moment of a recording, some of what a power cut may leave."""

import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import count

from power_cut.disk import Disk, State
from power_cut.recording import Event


def cuts(events: Sequence[Event], number: int, *, base: Disk, seed: int = 13) -> Iterator[tuple[str, State]]:
    """As many states, spread evenly over the events, each with a name that says how it came about.

    Args:
        events: of a program.
        number: of states.
        base: the disk before them.
        seed: for the choice; the same gives the same states.
    """
    chance = random.Random(seed)
    moments = sorted(chance.choices(range(len(events) + 1), k=number))
    disk, done = deepcopy(base), 0
    for index, moment in zip(count(), moments, strict=False):
        for event in events[done:moment]:
            disk.apply(event)
        done = moment
        kind = _KINDS[index % len(_KINDS)]
        yield f"{kind} after event {moment}", _state(disk, chance, kind)


_KINDS = ("all lost", "all arrived", "some pages", "torn", "one file", "all but one file")


def _state(disk: Disk, chance: random.Random, kind: str) -> State:
    names = chance.randint(0, len(disk.names))
    if kind == "all lost":
        return disk.cut(chance, lambda _file, _page: False, 0, torn=False)
    if kind == "all arrived":
        return disk.cut(chance, lambda _file, _page: True, len(disk.names), torn=False)
    if kind in {"some pages", "torn"}:
        share = chance.random()
        kept = {key for key in sorted(disk.pages) if chance.random() < share}
        return disk.cut(chance, lambda file, page: (file, page) in kept, names, torn=kind == "torn")
    files = sorted({file for file, _ in disk.pages})
    chosen = chance.choice(files) if files else None
    is_one = kind == "one file"
    return disk.cut(chance, lambda file, _page: (file == chosen) == is_one, names, torn=False)
