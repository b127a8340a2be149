"""`scrapy tune`: weights of hybrid searches that are better on one's own queries, if there are any."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.cli_command import CliCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from ragcrawler.maintenance.tuning import Tuned, TunedSetting, WeightSetting
    from ragcrawler.retrieval.evaluation.tuning import Tuning

_NOTHING_HOLDS = 3
_TOO_FEW = 4


class Command(CliCommand, ScrapyCommand):
    """Prints what weights chosen on some queries gain on the others, and the weights where that holds."""

    requires_project = True

    def syntax(self) -> str:
        return "QUERIES.jsonl|FOLDER [--qrels FILE] [--write]"

    def short_desc(self) -> str:
        return "Choose the weights of hybrid searches on queries with known answers"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options for judgements, and for where the weights go."""
        super().add_options(parser)
        add = parser.add_argument
        add("--qrels", metavar="FILE", help="judgements of the queries: lines of id, 0, URL, grade")
        add("--write", action="store_true", help="write the weights into .env, where they hold")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from ragcrawler.bootstrap import StartError
        from ragcrawler.embedding.protocol import EmbeddingError
        from ragcrawler.maintenance.tuning import tune_weights
        from ragcrawler.retrieval.evaluation import QuerySetError
        from ragcrawler.stores import StoreError

        if len(args) != 1:
            raise UsageError("name one file or folder of queries")
        path, qrels = Path(args[0]), Path(opts.qrels) if opts.qrels else None
        if qrels and path.is_dir():
            raise UsageError("--qrels judges the queries of a file")
        try:
            tuned = tune_weights(path, qrels, **explicit_settings(self.settings))
            self.exitcode = _report(tuned, write=opts.write)
        except (StartError, StoreError, EmbeddingError, QuerySetError, OSError) as error:
            self.refuse(str(error))


def _report(tuned: "Tuned", *, write: bool) -> int:
    from ragcrawler.retrieval.evaluation.tuning import LEAST_QUERIES

    sys.stdout.write(f"{sum(len(each.queries) for each in tuned.settings)} queries, {tuned.models}\n")
    if tuned.drafted:
        sys.stdout.write(f"left out, drafted from headings: {tuned.drafted}\n")
    if not tuned.settings:
        sys.stdout.write(f"Too few queries: at least {LEAST_QUERIES} are needed. The weights stay.\n")
    codes = [_report_setting(each, write=write) for each in tuned.settings]
    return min(codes, default=_TOO_FEW)


def _report_setting(tuned: "TunedSetting", *, write: bool) -> int:
    from ragcrawler.retrieval.evaluation.tuning import LEAST_QUERIES, written_weights

    sys.stdout.write(f"\n{tuned.setting} ranks {len(tuned.queries)} of them\n")
    if tuned.tuning is None:
        sys.stdout.write(f"Too few queries: at least {LEAST_QUERIES} are needed. The weights stay.\n")
        return _TOO_FEW
    _print_gain(tuned.tuning)
    if not tuned.tuning.holds:
        sys.stdout.write("No other weights hold on queries that they were not chosen on. The weights stay.\n")
        return _NOTHING_HOLDS
    weights, today = written_weights(tuned.tuning.best), written_weights(tuned.tuning.today)
    _hand_over(tuned.setting, weights, today, write=write)
    return 0


def _print_gain(tuning: "Tuning") -> None:
    from ragcrawler.retrieval.evaluation.evaluation_lines import difference_text
    from ragcrawler.retrieval.evaluation.resampling import estimate
    from ragcrawler.retrieval.evaluation.tuning import written_weights

    folds = f"{tuning.folds} {'sites' if tuning.is_by_site else 'parts'}"
    sys.stdout.write(
        f"nDCG@10 by {written_weights(tuning.today)}: {estimate(tuning.before).mean:.3f}\n"
        f"by weights chosen without the queries they rank, {folds} left out in turn: "
        f"{estimate(tuning.after).mean:.3f}\n"
        f"difference {difference_text(tuning.gain)}\n"
    )


def _hand_over(name: "WeightSetting", weights: str, today: str, *, write: bool) -> None:
    sys.stdout.write(f"{name}={weights}\n")
    if not write:
        sys.stdout.write("The line belongs into .env; --write puts it there.\n")
        return
    from ragcrawler.environment import write_dotenv

    written = write_dotenv(name, weights)
    undo = f"the line was {name}={written.before}" if written.before else "remove the line"
    sys.stdout.write(f"Written to {written.path}; today's were {today}. To undo it: {undo}.\n")
    if written.is_overruled:
        sys.stdout.write(f"The environment gives {name} too, and wins: take it out there.\n")
