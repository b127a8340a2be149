"""The base class of the commands that search the collection."""

import argparse
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from ragcrawler.retrieval import CollectionRetriever, Found

_FROM_OPTIONS = {"weights": "HYBRID_WEIGHTS", "fusion": "HYBRID_FUSION", "rerank": "RERANKER"}
_NO_RERANKER = "none"


class QuestionCommand(CliCommand):
    """Runs `work` with a question; what goes wrong is said in one line, with exit code 1."""

    requires_project = True
    limit: ClassVar[int]

    def work(self, query: str, opts: argparse.Namespace) -> None:
        """Answer the question.

        Raises:
            NotImplementedError: the command does not say how.
        """
        raise NotImplementedError

    def add_question_options(self, parser: argparse.ArgumentParser) -> None:
        """How many hits, how they are found and ordered, and which are allowed."""
        from ragcrawler.retrieval import RetrievalMode

        add = parser.add_argument
        add("--limit", type=int, default=self.limit, metavar="N", help=f"how many hits ({self.limit})")
        add("--offset", type=int, default=0, metavar="N", help="leave out the best N (0)")
        add(
            "--mode",
            choices=get_args(RetrievalMode),
            default="hybrid",
            help="several rankings, or one (hybrid)",
        )
        add("--weights", metavar="LEG=W,...", help="of what hybrid fuses: dense=1,bm25=0.5,document=0.7 say")
        add("--fusion", choices=("rrf", "dbsf"), help="how hybrid fuses: by ranks, or by scores")
        add("--rerank", choices=("llm", "cross-encoder", _NO_RERANKER), help="have the best 20 put in order")
        add("--expand", action="store_true", help="search other wordings too, of the language model")
        add(
            "--per-document", type=int, default=0, metavar="N", help="at most N hits of a page; 0: any number"
        )
        add("--listings", action="store_true", help="count indexes, contents and changelogs like content")
        add("--diversity", type=float, default=0.0, metavar="0..1", help="how much variety counts (0)")
        add("--threshold", type=float, metavar="SCORE", help="no hits with a lower score of the mode")
        add(
            "--filter",
            action="append",
            default=[],
            metavar="FIELD=VALUE",
            help="only chunks with this value: chunk_type=code; also !=, ^=, ~=, >=, <=, >, <; repeatable",
        )

    def add_context_options(self, parser: argparse.ArgumentParser, context: str, budget: int) -> None:
        """Add the options for neighbouring chunks and for the word budget.

        Args:
            parser: of the command.
            context: the default; "" leaves it open, for it to depend on the budget.
            budget: the default.
        """
        add = parser.add_argument
        add(
            "--context",
            type=_context,
            default=_context(context) if context else None,
            metavar="N",
            help=f"join N neighbours on each side to a hit, or its section with the word section "
            f"({context or '1 with a budget, else 0'})",
        )
        add(
            "--budget",
            type=int,
            default=budget,
            metavar="WORDS",
            help=f"how many words all of it may have; 0: any number ({budget})",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the question and work.

        Raises:
            UsageError: there is no question.
        """
        from ragcrawler.bootstrap import StartError
        from ragcrawler.embedding.protocol import EmbeddingError
        from ragcrawler.llm.protocol import LanguageModelError
        from ragcrawler.retrieval.formatting.printable import printable
        from ragcrawler.stores import StoreError

        query = printable(" ".join(args))
        if not query.strip():
            raise UsageError("name what to search for")
        try:
            self.work(query, opts)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader, `head` say, has had enough; what is left unwritten must not fail again at the exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (StartError, StoreError, EmbeddingError, LanguageModelError, ValueError) as error:
            self.refuse(str(error))
        except KeyboardInterrupt:
            sys.stderr.write("Interrupted.\n")
            self.exitcode = self.interrupted

    def question_settings(self, opts: argparse.Namespace) -> dict[str, Any]:
        """The settings of the user, with the command's options."""
        given = {name: getattr(opts, option) for option, name in _FROM_OPTIONS.items()}
        if opts.rerank == _NO_RERANKER:
            given["RERANKER"] = ""
        options = {name: value for name, value in given.items() if value is not None}
        if opts.weights is not None:
            options["QUESTION_WEIGHTS"] = ""  # what is said holds for whatever is asked
        if opts.expand:
            options["QUERY_EXPANSION"] = True
        return explicit_settings(self.settings) | options

    def find(self, retriever: "CollectionRetriever", query: str, opts: argparse.Namespace) -> "Found":
        """Search as the options say; why there is no hit goes to stderr."""
        weights = dict(retriever.options.weights)
        if opts.listings:
            weights.pop("listing", None)
        options = replace(
            retriever.options,
            weights=weights,
            offset=opts.offset,
            per_document=opts.per_document,
            diversity=opts.diversity,
            score_threshold=opts.threshold,
        )
        found = retriever.find(query, opts.limit, mode=opts.mode, filters=opts.filter, options=options)
        if not found.hits and retriever.store.count():
            sys.stderr.write(f"Nothing found for {query!r}.\n")
        elif not found.hits:
            self.refuse(
                f"the collection {retriever.store.location!r} is empty: crawl something into it first"
            )
        return found


def _context(given: str) -> int | str:
    if given == "section":
        return given
    if not given.isdecimal():
        raise argparse.ArgumentTypeError(f"{given!r} is neither a number of neighbours nor section")
    return int(given)
