"""Documents written to the catalogue a CPU second: in a file, and in PostgreSQL.

Each document has 12 chunks and is written as a crawl does: marked as begun, looked up, put with its texts, in
batches of 16; then a page is looked up as unchanged, then as a duplicate. The CPU of the server counts apart.
"""

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from ragcrawler.catalogue import ChunkRecord, DocumentCatalogue, DocumentRecord, TextHolder
from ragcrawler.catalogue.places import CatalogueFile, CataloguePlace, CatalogueSchema
from ragcrawler.chunking import ChunkingConfig, chunk_markdown
from ragcrawler.items import Document, SemanticChunk
from ragcrawler.postgres.embedded_server import EmbeddedServer

BATCH = 16
WORDS = ("water", "soil", "light", "seed", "root", "leaf", "bloom", "frost", "shade", "pump", "hose", "bed")
_TICKS = os.sysconf("SC_CLK_TCK")


class Words:
    limit = 500

    def count(self, text: str) -> int:
        return len(text.split())

    def count_batch(self, texts: list[str]) -> list[int]:
        return [self.count(text) for text in texts]


def documents(count: int) -> list[tuple[DocumentRecord, list[SemanticChunk], Document]]:
    """Made before anything is measured."""
    made, chosen = [], random.Random(0)
    config = ChunkingConfig(
        target_tokens=100, max_tokens=140, min_tokens=10, overlap_tokens=0, model="hashing/384+hashing/sparse"
    )
    for number in range(count):
        text = "\n\n".join(
            f"## Part {part}\n\n{' '.join(chosen.choices(WORDS, k=90))}." for part in range(12)
        )
        document_id, url = f"{number:032x}", f"https://s{number % 50}.example/pages/{number}"
        chunks = chunk_markdown(text, config=config, tokens=Words(), document_id=document_id, url=url)
        facts = f"{chosen.getrandbits(64):016x}{chosen.randbytes(128).hex()}"
        record = DocumentRecord(
            document_id,
            url,
            url.split("/")[2],
            *(f"{number:064x}", f"{number:064x}", "p"),
            chunks=tuple(ChunkRecord.of(chunk)._replace(checksum="c" * 32) for chunk in chunks),
            near_hash=facts,
        )
        document = Document(
            document_id, url, f"Page {number}", "en", text, record.content_hash, "2026-01-01", near_hash=facts
        )
        made.append((record, chunks, document))
    return made


def server_seconds(server: int) -> float:
    """CPU of a server's processes, those that have ended included."""
    children = [
        int(path.name)
        for path in Path("/proc").iterdir()
        if path.name.isdigit() and _status(path, 3) == server
    ]
    own = sum(_status(Path("/proc", str(pid)), at) for pid in (server, *children) for at in (13, 14))
    return (own + _status(Path("/proc", str(server)), 15) + _status(Path("/proc", str(server)), 16)) / _TICKS


def _status(process: Path, at: int) -> int:
    try:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[at - 2])


def batches(made: list, size: int) -> Iterator[list]:
    for start in range(0, len(made), size):
        yield made[start : start + size]


def write(catalogue: DocumentCatalogue, made: list) -> None:
    for batch in batches(made, BATCH):
        records = [record for record, _, _ in batch]
        catalogue.mark_writing(records)
        for record in records:
            catalogue.get(record.document_id)
        catalogue.put(
            records,
            {record.document_id: chunks for record, chunks, _ in batch},
            [document for _, _, document in batch],
        )


def look_up(catalogue: DocumentCatalogue, made: list) -> None:
    for record, _, _ in made:
        found = catalogue.get(record.document_id)
        assert found is not None
        assert catalogue.has_markdown(found)


def decide(catalogue: DocumentCatalogue, made: list) -> None:
    claims = catalogue.text_claims("benchmark", 0.9)
    for record, _, document in made:
        new = replace(document, id=f"new {document.id}", url=f"{document.url}/new")
        assert claims.look(new).copy == record
        assert claims.claim(new, TextHolder(record.document_id, record.url), claims.look(new).version)


def measured(place: CataloguePlace, made: list, server: int | None) -> dict[str, float]:
    figures: dict[str, float] = {}
    with place.open() as catalogue:
        for name, work in (("written", write), ("looked_up", look_up), ("decided", decide)):
            before = server_seconds(server) if server else 0.0
            began = time.process_time()
            work(catalogue, made)
            own = time.process_time() - began
            figures[f"{name}_a_cpu_second"] = round(len(made) / own)
            if server:
                figures[f"{name}_a_cpu_second_of_the_server"] = round(
                    len(made) / max(server_seconds(server) - before, 1 / _TICKS)
                )
        assert catalogue.count() == len(made)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=3000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    made = documents(options.documents)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o711)  # as root the server runs as another user
        server = stack.enter_context(EmbeddedServer(folder / "server"))
        server_id = int((folder / "server" / "data" / "postmaster.pid").read_text().split()[0])
        found = {
            "documents": len(made),
            "chunks_a_document": round(sum(len(chunks) for _, chunks, _ in made) / len(made), 1),
            "sqlite": measured(CatalogueFile(folder / "catalogue.sqlite"), made, None),
            "postgres": measured(CatalogueSchema(server.address, "catalogue"), made, server_id),
        }
    print(json.dumps(found, indent=None if options.json else 2))


if __name__ == "__main__":
    main()
