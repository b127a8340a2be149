"""`scrapy search`: ask the collection."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand

from ragcrawler.commands.base.question_command import QuestionCommand

if TYPE_CHECKING:
    from ragcrawler.retrieval import CollectionRetriever, Found
    from ragcrawler.retrieval.passage import Passage


class Command(QuestionCommand, ScrapyCommand):
    """Prints the best chunks for a question, each with a link to the nearest heading."""

    limit: ClassVar[int] = 5

    def syntax(self) -> str:
        return "QUERY [options]"

    def short_desc(self) -> str:
        return "Search the collection: ranked chunks, each with its link"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """How they are found, how much around them is shown, and in what form."""
        super().add_options(parser)
        self.add_question_options(parser)
        self.add_context_options(parser, context="", budget=0)
        parser.add_argument(
            "--links", action="store_true", help="number the links of passages, list addresses"
        )
        parser.add_argument("--json", action="store_true", help="one JSON line a hit")

    def work(self, query: str, opts: argparse.Namespace) -> None:
        """Search, and print what was found."""
        from ragcrawler.bootstrap import open_retriever
        from ragcrawler.retrieval.formatting.hit_lines import print_hits, print_passages
        from ragcrawler.retrieval.formatting.records import hit_records, passage_records

        with open_retriever(**self.question_settings(opts)) as retriever:
            found = self.find(retriever, query, opts)
            if opts.context or opts.budget or opts.links:
                passages = _passages(retriever, found, opts)
                if not opts.json:
                    return print_passages(passages, query, sys.stdout)
                records = passage_records(passages, found)
            elif not opts.json:
                return print_hits(found.hits, query, sys.stdout)
            else:
                records = hit_records(found)
        for record in records:
            # ASCII: a terminal obeys some characters above it, and programs read the escapes as well.
            sys.stdout.write(json.dumps(record) + "\n")
        return None


def _passages(retriever: "CollectionRetriever", found: "Found", opts: argparse.Namespace) -> "list[Passage]":
    from ragcrawler.retrieval.passage import context_within, passages
    from ragcrawler.retrieval.word_budget import within_words

    context = context_within(opts.budget) if opts.context is None else opts.context
    made = passages(retriever.store, found.hits, context, number_links=opts.links)
    return within_words(made, opts.budget) if opts.budget else made
