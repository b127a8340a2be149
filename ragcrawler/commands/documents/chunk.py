"""`scrapy chunk`: Markdown in, one JSON line a chunk out."""

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.setting_warnings import warn_of_names
from ragcrawler.urls.credentials import mask_credentials

if TYPE_CHECKING:
    from ragcrawler.bootstrap.chunk_setup import ChunkSetup

Writer = Callable[[str, str, IO[str]], None]
_SIZES = {
    "--target-tokens": "the size aimed at",
    "--max-tokens": "the size no content exceeds",
    "--min-tokens": "under this a chunk is merged with its neighbour of the same section",
    "--overlap-tokens": "how much of the neighbours is kept beside a chunk",
    "--limit-tokens": "what the model takes, special tokens included, where its tokenizer does not say it",
}


class Command(ScrapyCommand):
    """Chunks files without a crawl, so that a person can see what a setting does."""

    requires_crawler_process = False
    requires_project = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "FILE, FOLDER or - [options]"

    def short_desc(self) -> str:
        return "Cut Markdown into chunks: one JSON line each"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """The sizes, the strategy, the tokenizer and the form of the output."""
        from ragcrawler.chunking.config import CODE_POLICIES, STRATEGY_NAMES

        super().add_options(parser)
        for name, meaning in _SIZES.items():
            parser.add_argument(name, type=int, metavar="N", help=meaning)
        parser.add_argument("--strategy", choices=STRATEGY_NAMES, default=None, help="how chunks are made")
        parser.add_argument("--code-policy", choices=CODE_POLICIES, help="cut long code, or keep it whole")
        parser.add_argument(
            "--tokenizer",
            metavar="NAME",
            help="tokenizer.json, tiktoken:NAME or a model of the hub",
        )
        parser.add_argument("--url", default="", help="where the document stands, for its links")
        parser.add_argument(
            "--output", metavar="DIR", help="write NAME.md.jsonl (or .ast.json) for each NAME.md of a folder"
        )
        parser.add_argument(
            "--ast", action="store_true", help="instead of chunks, the syntax tree and the sections as JSON"
        )
        parser.add_argument(
            "--pretty", action="store_true", help="show the chunks as panels, the tree over lines"
        )
        parser.add_argument("--report", action="store_true", help="say on stderr what the validation found")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Chunk what is named; every mistake in it is said in one line."""
        from ragcrawler.embedding.protocol import EmbeddingError

        warn_of_names(self.settings)
        if len(args) != 1:
            raise UsageError("name one Markdown file, one folder, or - for standard input")
        try:
            self._chunk(args[0], opts)
        except (OSError, ValueError, ImportError, EmbeddingError) as error:
            sys.stderr.write(f"Error: {mask_credentials(str(error))}\n")
            self.exitcode = 1

    def _chunk(self, name: str, opts: argparse.Namespace) -> None:
        write = self._writer(opts)
        if name == "-":
            write(_text(sys.stdin.buffer.read(), "standard input"), "", sys.stdout)
            return
        path = Path(name)
        if not path.exists():
            raise FileNotFoundError(f"there is no file or folder {name!r}")
        files = sorted(path.glob("*.md")) if path.is_dir() else [path]
        if not files:
            raise FileNotFoundError(f"the folder {name!r} holds no *.md files")
        for file in files:
            markdown = _text(file.read_bytes(), file.name)
            if opts.output:
                suffix = ".ast.json" if opts.ast else ".jsonl"
                with _made_file(Path(opts.output) / f"{file.name}{suffix}") as out:
                    write(markdown, file.name, out)
            else:
                write(markdown, file.name, sys.stdout)

    def _writer(self, opts: argparse.Namespace) -> Writer:
        if opts.ast:
            return partial(_write_tree, is_pretty=opts.pretty)
        from ragcrawler.bootstrap.chunk_setup import open_setup

        assert self.settings is not None  # noqa: S101 - set by scrapy before it runs a command
        setup = open_setup(self.settings, opts)
        return partial(_write_chunks, setup, is_pretty=opts.pretty, is_reported=opts.report)


def _write_tree(markdown: str, name: str, out: IO[str], *, is_pretty: bool) -> None:
    from ragcrawler.chunking.parsing.tree_records import tree_record

    record = {"document": name, **tree_record(markdown)}
    out.write(json.dumps(record, ensure_ascii=False, indent=2 if is_pretty else None) + "\n")


def _write_chunks(
    setup: "ChunkSetup", markdown: str, name: str, out: IO[str], *, is_pretty: bool, is_reported: bool
) -> None:
    from ragcrawler.chunking.output.panels import print_panels
    from ragcrawler.chunking.validation import validate
    from ragcrawler.items import chunk_record

    chunks = setup.chunks(markdown, name)
    if is_pretty:
        print_panels(chunks, target_tokens=setup.config.target_tokens, out=out)
    else:
        out.writelines(json.dumps(chunk_record(chunk), ensure_ascii=False) + "\n" for chunk in chunks)
    if is_reported:
        sys.stderr.write(validate(markdown, chunks, setup.config).summary(name or "standard input"))


def _made_file(path: Path) -> IO[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w", encoding="utf-8", newline="\n")


def _text(body: bytes, name: str) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is no UTF-8 text ({error.reason} at byte {error.start}): convert it first"
        ) from error
