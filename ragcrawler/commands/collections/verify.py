"""`scrapy verify`: is the collection whole, and what is not right in it?"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from ragcrawler.catalogue import DocumentCatalogue
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.maintenance.verification import Fault, IndexScan, Repairs
    from ragcrawler.stores import ChunkStore


class VerifyExitCode(IntEnum):
    """How `scrapy verify` ends; 1 where it could not look."""

    CLEAN = 0
    FAULTS_FOUND = 3
    ALL_REPAIRED = 4
    SOME_LEFT = 5


class Command(CollectionCommand, ScrapyCommand):
    """Holds every point against the catalogue, names what is wrong, and mends it if asked to."""

    def syntax(self) -> str:
        return "[--repair] [--rebuild] [--json]"

    def short_desc(self) -> str:
        return "Check that the collection is whole, and repair it"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Whether to mend, and in what form to tell."""
        super().add_options(parser)
        parser.add_argument(
            "--repair", action="store_true", help="mend what is wrong, from the texts in the catalogue"
        )
        parser.add_argument(
            "--rebuild",
            action="store_true",
            help="make a collection anew that is gone or cannot be read, from the texts in the catalogue",
        )
        parser.add_argument("--json", action="store_true", help="one JSON line a fault, and one of sums")

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Walk through the collection.

        Raises:
            UsageError: there is an argument.
            StartError: there is no collection.
        """
        from ragcrawler.bootstrap.catalogue_place import catalogue_place
        from ragcrawler.bootstrap.start_error import StartError
        from ragcrawler.maintenance.open_catalogue import open_catalogue
        from ragcrawler.stores import open_store

        if args:
            raise UsageError("verify takes options only")
        if opts.rebuild:
            opts.repair = True
            self._make_readable(configuration)
        self._finish_begun(configuration)
        with open_store(configuration.store) as store:
            if store.models() is None:
                raise StartError(f"there is no collection at {store.location}; crawl something into it first")
            place = catalogue_place(configuration)
            with open_catalogue(place, is_made=opts.repair) as catalogue:
                self._verify(configuration, store, catalogue, opts)
        if opts.repair:
            self.finish_removals()

    def _finish_begun(self, configuration: "Configuration") -> None:
        """Finish removals that were broken off: what they left half done is no fault of the collection."""
        from ragcrawler.bootstrap.catalogue_place import catalogue_place
        from ragcrawler.maintenance.open_catalogue import open_catalogue

        with open_catalogue(catalogue_place(configuration), is_made=False) as catalogue:
            is_begun = bool(catalogue.open_removals())
        if is_begun:
            self.finish_removals()

    @staticmethod
    def _make_readable(configuration: "Configuration") -> None:
        from ragcrawler.bootstrap.damaged_collection import make_readable

        done = make_readable(configuration, needs_texts=True)
        if done:
            sys.stderr.write(f"{done}\n")

    def _verify(
        self,
        configuration: "Configuration",
        store: "ChunkStore",
        catalogue: "DocumentCatalogue",
        opts: argparse.Namespace,
    ) -> None:
        from ragcrawler.maintenance.verification import IndexScan, Repairs
        from ragcrawler.maintenance.verification.repairer import Repairer

        models = store.models()
        assert models is not None  # noqa: S101 - there is a collection
        scan = IndexScan(store, catalogue, models)
        repairer = Repairer(configuration, store, catalogue, models)
        counts: Counter[str] = Counter()
        repairs = Repairs()
        for faulty in scan.faulty_documents():
            for fault in faulty.reported_faults:
                counts[fault.kind] += 1
                _tell(fault, as_json=opts.json)
            if opts.repair and faulty.is_kept_out:
                repairs += Repairs(deleted=len(faulty.points), settled=1)  # by `finish_removals`, at the end
            elif opts.repair:
                repairs += repairer.repair(faulty)
        repairer.close()
        _sum_up(scan, counts, repairs if opts.repair else None, as_json=opts.json)
        self.exitcode = int(_exit_code(counts, repairs if opts.repair else None))


def _exit_code(counts: "Counter[str]", repairs: "Repairs | None") -> VerifyExitCode:
    if not counts:
        return VerifyExitCode.CLEAN
    if repairs is None:
        return VerifyExitCode.FAULTS_FOUND
    return VerifyExitCode.SOME_LEFT if repairs.left else VerifyExitCode.ALL_REPAIRED


def _tell(fault: "Fault", *, as_json: bool) -> None:
    from ragcrawler.retrieval.formatting.printable import printable

    if as_json:
        sys.stdout.write(json.dumps(asdict(fault)) + "\n")
        return
    parts = (fault.kind, fault.url or fault.document_id, fault.chunk_id, fault.detail)
    sys.stdout.write(printable("  ".join(part for part in parts if part)) + "\n")


def _sum_up(scan: "IndexScan", counts: "Counter[str]", repairs: "Repairs | None", *, as_json: bool) -> None:
    if as_json:
        sums: dict[str, Any] = {
            "points": scan.points,
            "documents": scan.documents,
            "faults": counts,
            "repairs": None if repairs is None else asdict(repairs),
        }
        sys.stdout.write(json.dumps(sums) + "\n")
        return
    found = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())) or "none"
    sys.stdout.write(f"{scan.points} points of {scan.documents} documents; faults: {found}\n")
    if repairs is not None and counts:
        sys.stdout.write(
            f"repaired: embedded {repairs.embedded}, rewritten {repairs.rewritten}, deleted "
            f"{repairs.deleted}, records settled {repairs.settled}; left to a crawl: {repairs.left}\n"
        )
