"""The memory that reading a large export of FireCrawl takes, and writing its chunks to a file.

    python benchmarks/firecrawl_memory.py [--megabytes 100 | --gigabytes 2]

Makes an export of pages that differ, within one frame, in a temporary folder. Reads it twice as the spider
does, first for the frame and then page by page, and writes a chunk of each page with the writer of `output=`.
There is no conversion, embedding or store. Prints the peak of the process's memory and the CPU time.
"""

import argparse
import hashlib
import json
import resource
import tempfile
import time
from pathlib import Path

from ragcrawler.items import Document, SemanticChunk
from ragcrawler.sources.firecrawl.boilerplate import SiteBoilerplate
from ragcrawler.sources.firecrawl.chunk_file import ChunkFile
from ragcrawler.sources.firecrawl.export import Export
from ragcrawler.sources.firecrawl.record import read_record

_MEGABYTE = 1_000_000
_KIBIBYTES = 1024


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--gigabytes", type=float, default=0)
    options = parser.parse_args()
    size = int((options.gigabytes * 1000 or options.megabytes) * _MEGABYTE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.json"
        pages = write_export(path, size)
        before, begin = peak_mebibytes(), time.process_time()
        shell = SiteBoilerplate()
        for record in Export(path).read():
            shell.learn(read_record(record).text)
        learned = time.process_time()
        kept = write_chunks(path, Path(folder) / "chunks.json", shell)
        end = time.process_time()
        print(
            f"{path.stat().st_size / _MEGABYTE:.0f} MB, {pages} pages; peak before reading {before:.0f} MiB"
        )
        print(f"peak after reading and output {peak_mebibytes():.0f} MiB")
        print(f"CPU: {learned - begin:.1f} s for the frame, {end - learned:.1f} s for pages and output")
        print(f"frame taken off: {kept} of {pages} pages")


def write_export(path: Path, size: int) -> int:
    """An export of at least so many bytes; the number of its pages."""
    pages = 0
    with path.open("w", encoding="utf-8") as out:
        out.write('{"base_url": "https://a.org/", "timestamp": "2024-08-30T07:30:45", "data": [\n')
        while out.tell() < size:
            out.write((",\n" if pages else "") + json.dumps(record(pages)))
            pages += 1
        out.write("\n]}\n")
    return pages


def record(number: int) -> dict[str, object]:
    """A page of about 25 kB, `content` included, whose blocks occur nowhere else."""
    word = hashlib.sha256(str(number).encode()).hexdigest()
    menu = "\n".join(f"*   [Part {each}](/docs/{each})" for each in range(40))
    body = "\n\n".join(
        f"## {word[:8]} {part}\n\nOn {word} number {part}. {'words ' * 60}" for part in range(25)
    )
    text = f"[![Logo](/l.png)](/)\n\n{menu}\n\n# Page {word}\n\n{body}\n\n* * *\n\n[GitHub](/g)\n"
    url = f"https://a.org/docs/{number}"
    metadata = {"sourceURL": url, "title": word, "language": "en", "pageStatusCode": 200}
    return {"content": text, "markdown": text, "metadata": metadata, "linksOnPage": [url] * 50}


def write_chunks(path: Path, output: Path, shell: SiteBoilerplate) -> int:
    """Write a chunk of each page; the number of pages that begin with their own heading then."""
    file, kept = ChunkFile(output, "chunks"), 0
    for number, each in enumerate(Export(path).read()):
        text = shell.without(read_record(each).text)
        kept += text.startswith("# Page")
        chunk = SemanticChunk(str(number), f"c{number}", "d", text, "", 0, "", 0, 0, 0)
        file.add(Document("d", "https://a.org/", "", "", "", "", "", chunks=(chunk,)), number)
    file.close()
    return kept


def peak_mebibytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIBIBYTES


if __name__ == "__main__":
    main()
