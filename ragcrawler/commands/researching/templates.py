"""`scrapy templates`: what researches look for."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.collection_command import CollectionCommand

if TYPE_CHECKING:
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.research.storage.database import ResearchDatabase
    from ragcrawler.research.templates import Template

_ACTIONS = {"list": 0, "show": 1, "add": 1, "remove": 1}
_READS = ("list", "show")


class Command(CollectionCommand, ScrapyCommand):
    """Lists, shows, adds and removes templates."""

    def syntax(self) -> str:
        return "[list] | show NAME | add FILE | remove NAME"

    def short_desc(self) -> str:
        return "List, show, add or remove the templates of researches"

    def work(
        self,
        configuration: "Configuration",
        args: list[str],
        opts: argparse.Namespace,  # noqa: ARG002 - the signature of all commands
    ) -> None:
        """Do one of them.

        Raises:
            UsageError: the action is none, or its name is missing.
            StartError: the database cannot be used, or there is no such template.
        """
        from ragcrawler.bootstrap.start_error import StartError
        from ragcrawler.config.postgres import postgres_address
        from ragcrawler.postgres.embedded_server import has_data
        from ragcrawler.postgres.errors import PostgresError
        from ragcrawler.research.errors import ResearchError
        from ragcrawler.research.templates.seeded import seeded_templates
        from ragcrawler.run.research.database import OpenDatabase

        action, names = (args[0], args[1:]) if args else ("list", [])
        if _ACTIONS.get(action) != len(names):
            raise UsageError("give one of list, show NAME, add FILE, remove NAME")
        assert self.settings is not None  # noqa: S101 - set by scrapy before it runs a command
        folder, address = configuration.output_folder / "postgres", postgres_address(self.settings)
        try:
            if action in _READS and address is None and not has_data(folder):
                # A database begins with these: no server has to be made to show them.
                _show(seeded_templates(), *names)
                return
            with OpenDatabase(address, folder) as database:
                _do(database.researches, action, *names)
        except (ResearchError, PostgresError, OSError) as error:
            raise StartError(str(error)) from error


def _do(database: "ResearchDatabase", action: str, name: str = "") -> None:
    from ragcrawler.research.templates import parse_template

    if action == "add":
        path = Path(name)
        text = sys.stdin.read() if name == "-" else path.read_text(encoding="utf-8")
        template = parse_template(text, path.stem)
        database.put_template(template)
        print(f"added {template.name}")  # noqa: T201
    elif action == "remove":
        database.remove_template(name)
        print(f"removed {name}")  # noqa: T201
    else:
        _show(database.templates(), name)


def _show(templates: "Sequence[Template]", name: str = "") -> None:
    """All of them in short, or one as it is defined."""
    from ragcrawler.research.templates import named_template

    if name:
        record = named_template(templates, name).to_record()
        print(json.dumps(record, indent=2, ensure_ascii=False))  # noqa: T201
        return
    for template in templates:
        fields = ", ".join(leaf.path for leaf in template.leaves)
        print(f"{template.name}  {template.description}: {fields}")  # noqa: T201
