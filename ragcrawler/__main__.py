"""The program `ragcrawler`: every command of `scrapy`, in a project or without one."""

import os
import re
from typing import Any

import scrapy
from scrapy import cmdline
from scrapy.settings import Settings
from scrapy.utils.conf import init_env
from scrapy.utils.project import ENVVAR, get_project_settings

from ragcrawler import __version__

_OUR_SETTINGS = "ragcrawler.settings"
_NAME = re.compile(r"\bscrapy\b(?= <command>|\")|^scrapy\b")


def program_settings() -> Settings:
    """The settings of the user's own project, and below them ours as defaults.

    The project is what `SCRAPY_SETTINGS_MODULE` or a scrapy.cfg names, as with `scrapy`; else it is ours.
    """
    init_env(os.environ.get("SCRAPY_PROJECT", "default"))
    os.environ.setdefault(ENVVAR, _OUR_SETTINGS)
    settings = get_project_settings()
    settings.setmodule(_OUR_SETTINGS, priority="default")
    return settings


class _Parser(cmdline.ScrapyArgumentParser):
    """Calls the program by its own name in what it says of its use."""

    def __init__(self, *, usage: str, **named: Any) -> None:
        super().__init__(prog="ragcrawler", usage=_own(usage), **named)


def _own(text: str) -> str:
    return _NAME.sub("ragcrawler", text)


def _print(*texts: str) -> None:
    print(*(_own(text) for text in texts))  # noqa: T201


def _print_header(settings: Any, inproject: bool) -> None:
    where = f"project: {settings['BOT_NAME']}" if inproject else "no project"
    print(f"ragcrawler {__version__}, Scrapy {scrapy.__version__} - {where}\n")  # noqa: T201


def main() -> None:
    """Run the command that the arguments name."""
    cmdline.ScrapyArgumentParser = _Parser  # type: ignore[assignment,misc]
    cmdline._print_header = _print_header
    cmdline.print = _print  # type: ignore[attr-defined] # the messages that name the program
    cmdline.execute(settings=program_settings())


if __name__ == "__main__":
    main()
