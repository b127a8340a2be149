"""`scrapy summarize`: summaries for the passages of a collection that have none, without a crawl."""

import argparse
import asyncio
import sys
from contextlib import closing
from enum import IntEnum
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.config.models.summaries import SummariesConfig
    from ragcrawler.embedding.embedders import Embedders
    from ragcrawler.run.summaries.batches import BatchSums
    from ragcrawler.run.summaries.collection import CollectionSums
    from ragcrawler.run.summaries.stored_documents import StoredDocuments

_ERRORS_SHOWN = 5
_MICRO = 1_000_000
_SECONDS_BETWEEN_ROUNDS = 60.0


class SummarizeExitCode(IntEnum):
    """How `scrapy summarize` ends; 1 where it could not begin. As of a crawl."""

    WHOLE = 0
    SUMMARIES_MISSING = 7
    BATCH_UNDER_WAY = 8


class Command(CollectionCommand, ScrapyCommand):
    """Asks for the summaries that are missing, and writes them into the collection."""

    def syntax(self) -> str:
        return "[--limit N] [--batch [--wait] [--cancel]]"

    def short_desc(self) -> str:
        return "Have a language model summarise the passages of the collection that have no summary"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """How much, and how."""
        super().add_options(parser)
        parser.add_argument(
            "--batch",
            action="store_true",
            help="through the provider's batch interface: for less, within a day; run it again to collect",
        )
        parser.add_argument(
            "--cancel",
            action="store_true",
            help="with --batch: submit nothing, and end what is under way early",
        )
        parser.add_argument("--wait", action="store_true", help="with --batch: wait until the batch is over")
        parser.add_argument("--limit", metavar="N", type=int, help="ask for at most so many summaries")

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        """Summarise what has no summary.

        Raises:
            UsageError: there is an argument, or the limit is no number of calls.
            StartError: there is no collection.
        """
        from ragcrawler.bootstrap.catalogue_place import catalogue_place
        from ragcrawler.bootstrap.models.collection_embedders import open_collection_embedders
        from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
        from ragcrawler.bootstrap.start_error import StartError
        from ragcrawler.run.summaries.stored_documents import Marks, StoredDocuments
        from ragcrawler.stores import open_store

        if args:
            raise UsageError("summarize takes options only")
        if opts.limit is not None and opts.limit < 1:
            raise UsageError("--limit is a number of summaries, 1 or more")
        if (opts.wait or opts.cancel) and not opts.batch:
            raise UsageError("--wait and --cancel are about batches: give --batch too")
        config = self._summaries(configuration)
        with open_store(configuration.store) as store, closing(open_vector_cache(configuration)) as cache:
            models = store.models()
            if models is None:
                raise StartError(f"there is no collection at {store.location}; crawl something into it first")
            with (
                closing(open_collection_embedders(configuration, models, cache)) as embedders,
                catalogue_place(configuration).open() as catalogue,
            ):
                marks = Marks.of(configuration, embedders)
                documents = StoredDocuments(store, catalogue, embedders, marks)
                self._summarise(config, embedders, documents, opts)

    def _summaries(self, configuration: "Configuration") -> "SummariesConfig":
        from ragcrawler.config.defaults import project_settings
        from ragcrawler.config.models.summaries import summaries_config

        settings = project_settings(**explicit_settings(self.settings))
        config = summaries_config(settings, configuration.output_folder, is_asked_for=True)
        assert config is not None  # noqa: S101 - it was asked for
        return config

    def _summarise(
        self,
        config: "SummariesConfig",
        embedders: "Embedders",
        documents: "StoredDocuments",
        opts: argparse.Namespace,
    ) -> None:
        batches = asyncio.run(_batches(config, documents, opts)) if opts.batch else None
        allowed = 0 if opts.batch else opts.limit
        sums, spent = asyncio.run(_ask(config, embedders, documents, allowed))
        _tell(sums, documents.left, spent)
        if batches is not None:
            _tell_batches(batches)
        is_missing = sums.failed or sums.missing
        self.exitcode = int(SummarizeExitCode.SUMMARIES_MISSING if is_missing else SummarizeExitCode.WHOLE)
        if batches is not None and batches.under_way:
            self.exitcode = int(SummarizeExitCode.BATCH_UNDER_WAY)


async def _ask(
    config: "SummariesConfig", embedders: "Embedders", documents: "StoredDocuments", allowed: int | None
) -> "tuple[CollectionSums, str]":
    """Ask for so many summaries and write them, with those that the ledger has; what the budget said."""
    from ragcrawler.bootstrap.models.collection_embedders import embedding_counter
    from ragcrawler.run.summaries.collection import Allowance, summarise_collection
    from ragcrawler.run.summaries.open import open_summarizer
    from ragcrawler.run.summaries.summarizer import SummaryEmbedding

    embedding = SummaryEmbedding(embedding_counter(embedders), embedders.name)
    summarizer = open_summarizer(config, embedding=embedding, may_ask=Allowance(allowed))
    try:
        sums = await summarise_collection(documents, summarizer, side_by_side=config.calls.concurrency)
    finally:
        await summarizer.close()
    return sums, str(summarizer.spent or "")


async def _batches(
    config: "SummariesConfig", documents: "StoredDocuments", opts: argparse.Namespace
) -> "BatchSums":
    """Collect what is answered into the ledger, and submit what was not asked for."""
    from ragcrawler.run.summaries.open import open_batches

    async with open_batches(config) as batches:
        await batches.collect()
        if opts.cancel:
            await batches.cancel()
        else:
            await batches.submit(documents.unsummarised(), opts.limit)
        if opts.wait:
            await batches.wait(_SECONDS_BETWEEN_ROUNDS)
        return batches.sums


def _tell_batches(sums: "BatchSums") -> None:
    from ragcrawler.retrieval.formatting.printable import printable

    sys.stdout.write(
        f"batches: calls submitted {sums.submitted}, answered {sums.answered}, failed {sums.failed}, "
        f"under way {sums.under_way}\n"
    )
    if sums.under_way:
        sys.stdout.write("run `scrapy summarize --batch` again to collect: most batches end within a day\n")
    for said in (*sums.faults[:_ERRORS_SHOWN], *([str(sums.spent)] if sums.spent else [])):
        sys.stderr.write(f"{printable(said)}\n")


def _tell(sums: "CollectionSums", left: int, spent: str) -> None:
    from ragcrawler.retrieval.formatting.printable import printable

    sys.stdout.write(
        f"{sums.documents} documents: summaries made {sums.made}, known {sums.known}, failed {sums.failed}, "
        f"not asked for {sums.missing}; {sums.written} chunks written\n"
    )
    if sums.made:
        sys.stdout.write(
            f"used: {sums.usage.input_tokens} tokens read, {sums.usage.output_tokens} written, "
            f"{sums.micro_dollars / _MICRO:.6f} US dollars\n"
        )
    if left:
        sys.stdout.write(f"left to a crawl or to `scrapy verify --repair`: {left} documents\n")
    for said in (*sums.errors[:_ERRORS_SHOWN], *([spent] if spent else [])):
        sys.stderr.write(f"{printable(said)}\n")
