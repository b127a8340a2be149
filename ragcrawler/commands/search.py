"""`scrapy search`: ask the collection."""

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES, Settings

if TYPE_CHECKING:
    from ragcrawler.stores import Hit

_LIMIT = 5


class Command(ScrapyCommand):
    """Prints the best chunks for a question, each with a link to the nearest heading."""

    requires_crawler_process = False
    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        """What stands behind the command's name."""
        return "QUERY [options]"

    def short_desc(self) -> str:
        """One line for the list of commands."""
        return "Search the collection: ranked chunks, each with its link"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """How many, how they are found, which are allowed, and in what form."""
        from ragcrawler.retrieval import RetrievalMode

        super().add_options(parser)
        parser.add_argument(
            "--limit", type=int, default=_LIMIT, metavar="N", help=f"how many hits ({_LIMIT})"
        )
        parser.add_argument(
            "--mode",
            choices=get_args(RetrievalMode),
            default="hybrid",
            help="by both vectors (hybrid), by one, or by words",
        )
        parser.add_argument(
            "--filter",
            action="append",
            default=[],
            metavar="FIELD=VALUE",
            help="only chunks whose field has this value, chunk_type=code say; repeat it for more",
        )
        parser.add_argument("--json", action="store_true", help="one JSON line a hit")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Search; what goes wrong is said in one line, with exit code 1."""
        from ragcrawler.bootstrap import StartError
        from ragcrawler.embedding.protocol import EmbeddingError
        from ragcrawler.retrieval.printable import printable
        from ragcrawler.stores import StoreError

        query = printable(" ".join(args))
        if not query.strip():
            raise UsageError("name what to search for")
        try:
            self._search(query, opts)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader, `head` say, has had enough; what is left unwritten must not fail again at the exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (StartError, StoreError, EmbeddingError, ValueError) as error:
            self._refuse(str(error))

    def _search(self, query: str, opts: argparse.Namespace) -> None:
        from ragcrawler.bootstrap import open_retriever

        filters = dict(_filter(given) for given in opts.filter)
        with open_retriever(**self._chosen_settings()) as retriever:
            hits = retriever.search(query, opts.limit, mode=opts.mode, filters=filters)
            if hits:
                _print(hits, query, as_json=opts.json)
            elif retriever.store.count():
                sys.stderr.write(f"Nothing found for {query!r}.\n")
            else:
                self._refuse(
                    f"the collection {retriever.store.location!r} is empty: crawl something into it first"
                )

    def _chosen_settings(self) -> dict[str, Any]:
        """What the settings module and `-s` say: Scrapy's own defaults hold names that it withdrew."""
        settings = self.settings or Settings()
        least = SETTINGS_PRIORITIES["project"]
        chosen = {name: settings[name] for name in settings if (settings.getpriority(name) or 0) >= least}
        chosen.pop("SETTINGS_MODULE", None)
        return chosen

    def _refuse(self, reason: str) -> None:
        from ragcrawler.retrieval.printable import printable

        sys.stderr.write(f"Error: {printable(reason)}\n")
        self.exitcode = 1


def _filter(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not (name and equals):
        raise ValueError(f"--filter {given!r} is not FIELD=VALUE; chunk_type=code would be right")
    return name, value


def _print(hits: "list[Hit]", query: str, *, as_json: bool) -> None:
    from ragcrawler.items import chunk_record
    from ragcrawler.retrieval.hit_lines import print_hits

    if not as_json:
        print_hits(hits, query, sys.stdout)
        return
    for rank, hit in enumerate(hits, start=1):
        # ASCII: a terminal obeys some characters above it, and programs read the escapes as well.
        sys.stdout.write(json.dumps({"rank": rank, "score": hit.score, **chunk_record(hit.chunk)}) + "\n")
