"""Lists the installed packages by their size, with those that ask for them.

Run it by the Python of the environment in question; it needs nothing else:

    uv run python benchmarks/installed_sizes.py
    /path/of/an/environment/bin/python benchmarks/installed_sizes.py --least 20
"""

import argparse
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata

MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Package:
    """An installed distribution.

    Attributes:
        name: normalised, `qdrant-edge-py`.
        version: of it.
        bytes: of its files, without bytecode.
        requirements: names of what it asks for, extras and other systems left out.
    """

    name: str
    version: str
    bytes: int
    requirements: frozenset[str]


def installed_packages() -> list[Package]:
    """Every distribution of this environment, the largest first."""
    found = {}
    for each in metadata.distributions():
        name = normalised(each.metadata["Name"])
        found.setdefault(name, Package(name, each.version, size(each), requirements(each.requires or [])))
    return sorted(found.values(), key=lambda package: -package.bytes)


def size(distribution: metadata.Distribution) -> int:
    """Bytes of its files by its record, a line `path,hash,size` a file; bytecode has no size there."""
    record = distribution.read_text("RECORD") or ""
    return sum(int(found) for line in record.splitlines() if (found := line.rpartition(",")[2]).isdecimal())


def requirements(lines: Iterable[str]) -> frozenset[str]:
    wanted = (line for line in lines if "extra ==" not in line)
    return frozenset(normalised(re.split(r"[^\w.-]", line, maxsplit=1)[0]) for line in wanted)


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--least", type=float, default=50, metavar="MIB", help="list those of this size (50)")
    least = parser.parse_args().least
    packages = installed_packages()
    print(f"{sum(each.bytes for each in packages) / MEBIBYTE:8.0f} MiB  all {len(packages)} packages")
    for package in packages:
        if package.bytes < least * MEBIBYTE:
            break
        askers = sorted(each.name for each in packages if package.name in each.requirements)
        shown = f"for {', '.join(askers)}" if askers else "asked for by nobody here"
        print(f"{package.bytes / MEBIBYTE:8.0f} MiB  {package.name} {package.version}  {shown}")


if __name__ == "__main__":
    main()
