"""All commands as one `argparse` parser, for what reads parsers."""

import argparse
from collections.abc import Mapping, Sequence

from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

# What stands behind a command and its options: the name of a spider, or a file.
_WITH_SPIDER = frozenset({"arguments", "check", "crawl", "edit"})
_WITH_FILE = frozenset({"chunk", "convert", "eval", "import", "runspider", "validate"})
_FILES = frozenset({"FILE", "PATH"})
_FOLDERS = frozenset({"DIR", "FOLDER"})


def command_parser(program: str, settings: Settings) -> argparse.ArgumentParser:
    """A parser with a subparser for each command; it describes, and runs nothing.

    Args:
        program: the name under which it is called.
        settings: of the project.
    """
    from scrapy.spiderloader import get_spider_loader

    parser = argparse.ArgumentParser(prog=program)
    parsers = parser.add_subparsers()
    spiders = sorted(get_spider_loader(settings).list())
    for name, command in sorted(_commands(settings).items()):
        command.settings = settings
        made = parsers.add_parser(name, help=command.short_desc(), conflict_handler="resolve")
        command.add_options(made)
        _complete_paths(made)
        _add_operand(made, name, spiders)
    return parser


def _commands(settings: Settings) -> Mapping[str, ScrapyCommand]:
    from scrapy.cmdline import _get_commands_dict  # the only place that knows them all
    from scrapy.utils.project import inside_project

    commands: Mapping[str, ScrapyCommand] = _get_commands_dict(settings, inside_project())
    return commands


def _complete_paths(parser: argparse.ArgumentParser) -> None:
    import shtab

    for action in parser._actions:
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]


def _add_operand(parser: argparse.ArgumentParser, command: str, spiders: Sequence[str]) -> None:
    import shtab

    if command in _WITH_SPIDER:
        parser.add_argument("spider", choices=spiders)
    elif command in _WITH_FILE:
        parser.add_argument("file").complete = shtab.FILE  # type: ignore[attr-defined]
