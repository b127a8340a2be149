"""The words that conversions keep: `python benchmarks/conversion_formats.py FOLDER [--suffix .rst]`.

Converts files of a folder, drawn at random but always the same, and prints by suffix the share of the words
of a plain reading that stand in the Markdown (mean, median, least), CPU seconds a file, errors and warnings.
The plain reading of a manual page (`.1` to `.8`, packed by gzip too) is groff's; of any other file its own
text without tags and comments: where that takes markup for words, not all of them can be kept.
"""

import argparse
import gzip
import random
import re
import statistics
import subprocess
import time
from collections import Counter, defaultdict
from pathlib import Path

from ragcrawler.conversion import READABLE_EXTENSIONS, ConversionError, convert

WORD = re.compile(r"\w{3,}")
NO_TEXT = re.compile(
    r"<!--.*?-->|<[^<>]*>|https?://\S+|:[\w:+-]+:(?=`)|^\s*(?://|\.\. )[^\n]*", re.DOTALL | re.MULTILINE
)
MANUAL = re.compile(r"\.[1-8]\w*(?:\.gz)?$")
GROFF = ["groff", "-t", "-mandoc", "-Tutf8", "-P-cbou", "-rHY=0", "-rLL=300n"]


def read(path: Path) -> tuple[str, bytes]:
    """The name without `.gz`, and the bytes unpacked."""
    body = path.read_bytes()
    return (path.stem, gzip.decompress(body)) if path.suffix == ".gz" else (path.name, body)


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower()))


def plain(name: str, body: bytes) -> str:
    if not MANUAL.search(name):
        return NO_TEXT.sub(" ", body.decode("utf-8", "replace"))
    printed = subprocess.run(GROFF, input=b".nh\n" + body, capture_output=True, check=False).stdout
    lines = printed.decode("utf-8", "replace").strip().split("\n")
    return "\n".join(lines[1:-1])  # without the lines at the head and foot of the page


def suffix_of(path: Path) -> str:
    found = MANUAL.search(path.name)
    return ".man" if found else path.suffix.lower()


def drawn(folder: Path, suffix: str, count: int) -> dict[str, list[Path]]:
    """Files by their suffix, `count` of each."""
    readable = {f".{extension}" for extension in READABLE_EXTENSIONS} | {".man"}
    found = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and suffix_of(path) in readable and suffix in ("", suffix_of(path)):
            found[suffix_of(path)].append(path)
    return {kind: random.Random(1).sample(paths, min(count, len(paths))) for kind, paths in found.items()}


def measure(kind: str, paths: list[Path]) -> None:
    kept: list[float] = []
    errors: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    seconds = 0.0
    for path in paths:
        name, body = read(path)
        before = time.process_time()
        try:
            converted = convert(body, "", f"https://docs.example.org/{name}")
        except ConversionError as error:
            errors[error.reason] += 1
            continue
        finally:
            seconds += time.process_time() - before
        expected = words(plain(name, body))
        if expected:
            kept.append((expected & words(converted.markdown)).total() / expected.total())
        warnings.update(re.sub(r"\d+", "N", warning) for warning in converted.metadata.warnings)
    if kept:
        shares = (
            f"mean {statistics.mean(kept):.4f}, median {statistics.median(kept):.4f}, least {min(kept):.4f}"
        )
        print(f"{kind}: {len(kept)} files, words kept: {shares}")
    print(f"  CPU seconds a file {seconds / len(paths):.3f}")
    print(f"  errors {dict(errors)}, warnings {dict(warnings.most_common(5))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suffix", default="", help="of one kind alone; .man for manual pages")
    parser.add_argument("--files", type=int, default=60)
    arguments = parser.parse_args()
    for kind, paths in drawn(arguments.folder, arguments.suffix, arguments.files).items():
        measure(kind, paths)


if __name__ == "__main__":
    main()
