"""A disk on which recorded writes, syncs and renames arrive, and what a power cut may leave there.

The model is that of a file system with an ordered journal (ext4, XFS): names and sizes become durable in the
order in which they changed, at the latest with the next sync of anything; pages of a file become durable at a
sync of that file, or at any moment before it, in any order, and one of them may be torn at a sector.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from power_cut.recording import PAGE, Event, Renamed, Resized, Synced, Wrote

_SECTOR = 512

Name = Renamed | Resized


@dataclass(slots=True)
class State:
    """Files as a power cut leaves them.

    Attributes:
        names: path to the number of its file, None for a folder.
        pages: by file and page.
        sizes: of files.
    """

    names: dict[str, int | None]
    pages: dict[tuple[int, int], bytes]
    sizes: dict[int, int]

    def write(self, folder: Path) -> None:
        """Make the files below a folder that is empty."""
        by_file: dict[int, list[tuple[int, bytes]]] = {}
        for (file, page), content in self.pages.items():
            by_file.setdefault(file, []).append((page, content))
        for path in sorted(path for path, file in self.names.items() if file is None):
            (folder / path).mkdir(parents=True, exist_ok=True)
        for path, file in self.names.items():
            if file is None:
                continue
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with (folder / path).open("wb") as opened:
                for page, content in by_file.get(file, []):
                    opened.seek(page * PAGE)
                    opened.write(content)
                opened.truncate(self.sizes.get(file, 0))


@dataclass(slots=True)
class Disk:
    """The durable state, and the writes that are still on their way.

    Attributes:
        durable: what is left at least.
        names: changes of names and sizes on their way, in order.
        pages: pages on their way.
    """

    durable: State = field(default_factory=lambda: State({}, {}, {}))
    names: list[Name] = field(default_factory=list)
    pages: dict[tuple[int, int], bytes] = field(default_factory=dict)

    def settle(self) -> None:
        """Make all that is on its way durable, as after a clean shutdown."""
        for file in {file for file, _ in self.pages}:
            self.apply(Synced(file))
        self.apply(Synced(None))

    def apply(self, event: Event) -> None:
        """Let the next event happen."""
        match event:
            case Wrote(file, page, content):
                self.pages[file, page] = content
            case Synced(file):
                for name in self.names:
                    _change(self.durable, name)
                self.names.clear()
                for key in [key for key in self.pages if key[0] == file]:
                    self.durable.pages[key] = self.pages.pop(key)
            case _:
                self.names.append(event)

    def cut(self, chance: random.Random, keeps: Callable[[int, int], bool], names: int, torn: bool) -> State:
        """A state that the power cut leaves.

        Args:
            chance: where it tears.
            keeps: of file and page, whether a page on its way arrived.
            names: how many of the changes of names and sizes did.
            torn: whether one of the pages arrived in part.
        """
        state = State(dict(self.durable.names), dict(self.durable.pages), dict(self.durable.sizes))
        for name in self.names[:names]:
            _change(state, name)
        arrived = [key for key in sorted(self.pages) if keeps(*key)]
        broken = chance.choice(arrived) if torn and arrived else None
        for key in arrived:
            content = self.pages[key]
            state.pages[key] = _torn(chance, state.pages.get(key, b""), content) if key == broken else content
        return state


def _change(state: State, name: Name) -> None:
    if isinstance(name, Resized):
        state.sizes[name.file] = name.size
        last = -(-name.size // PAGE)
        for key in [key for key in state.pages if key[0] == name.file and key[1] >= last]:
            del state.pages[key]
        return
    for path in name.gone:
        state.names.pop(path, None)
    state.names.update(name.come)


def _torn(chance: random.Random, old: bytes, new: bytes) -> bytes:
    at = _SECTOR * chance.randrange(1, PAGE // _SECTOR)
    return (new.ljust(PAGE, b"\0")[:at] + old.ljust(PAGE, b"\0")[at:]).rstrip(b"\0")
