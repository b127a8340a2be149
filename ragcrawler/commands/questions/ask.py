"""`scrapy ask`: an answer from the collection, with the words that bear it out."""

import argparse
import json
import sys
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand

from ragcrawler.commands.base.question_command import QuestionCommand

_WORDS = 1500


class Command(QuestionCommand, ScrapyCommand):
    """Has a language model answer from what was found, and strikes out what it cannot show."""

    limit: ClassVar[int] = 8

    def syntax(self) -> str:
        return "QUESTION [options]"

    def short_desc(self) -> str:
        return "Answer from the collection by a language model, with checked citations"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """How the sources are found, how much of them the model is shown, and in what form it answers."""
        super().add_options(parser)
        self.add_question_options(parser)
        self.add_context_options(parser, context="1", budget=_WORDS)
        parser.add_argument("--json", action="store_true", help="the answer as one JSON line")

    def work(self, query: str, opts: argparse.Namespace) -> None:
        """Search, have the model answer, and print what of it is borne out."""
        from ragcrawler.bootstrap import open_retriever
        from ragcrawler.config.defaults import project_settings
        from ragcrawler.config.models.language_model import language_model_config
        from ragcrawler.llm.open import open_language_model
        from ragcrawler.retrieval.answering.answer import answer
        from ragcrawler.retrieval.passage import passages
        from ragcrawler.retrieval.word_budget import within_words

        settings = self.question_settings(opts)
        # Before the collection is opened: without a model there is nothing to search for.
        model = open_language_model(language_model_config(project_settings(**settings)))
        with open_retriever(**settings) as retriever:
            found = self.find(retriever, query, opts)
            sources = passages(retriever.store, found.hits, opts.context)
        if self.exitcode == 0:
            shown = within_words(sources, opts.budget) if opts.budget else sources
            _print(answer(model, query, shown), as_json=opts.json)


def _print(given: Any, *, as_json: bool) -> None:
    from ragcrawler.retrieval.formatting.answer_lines import answer_record, print_answer

    if as_json:
        sys.stdout.write(json.dumps(answer_record(given)) + "\n")
    else:
        print_answer(given, sys.stdout)
    if given.struck_quotes:
        sys.stderr.write(
            f"Struck out: quotes that are not in the sources they name: {given.struck_quotes}; "
            f"statements left without evidence: {given.struck_statements}.\n"
        )
    if given.sources and not given.statements:
        sys.stderr.write("The sources that were found do not answer the question.\n")
