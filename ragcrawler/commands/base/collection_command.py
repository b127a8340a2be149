"""The base class of the commands that work on a whole collection."""

import argparse
import signal
import sys
from typing import TYPE_CHECKING

from ragcrawler.commands.base.cli_command import CliCommand
from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragcrawler.config.configuration import Configuration


class CollectionCommand(CliCommand):
    """Runs `work` with the configuration; what goes wrong is said in one line, with exit code 1.

    Attributes:
        values: all settings, from when `work` is called.
    """

    requires_project = False
    values: "Mapping[str, object]"

    def work(self, configuration: "Configuration", args: list[str], opts: argparse.Namespace) -> None:
        raise NotImplementedError

    def finish_removals(self) -> None:
        """Do what removals left undone, and remove what is kept out and has just come in; says so.

        Raises:
            StartError: it cannot be removed.
        """
        from ragcrawler.run.removal import finish_removals

        documents = finish_removals(self.values).counts.get("documents", 0)
        if documents:
            sys.stderr.write(f"Documents that were removed, or are kept out, and now are: {documents}\n")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from ragcrawler.bootstrap.start_error import StartError, start_errors
        from ragcrawler.config.configuration import Configuration
        from ragcrawler.config.defaults import project_settings
        from ragcrawler.stores.exports import ExportError

        # Whoever stops the command by SIGTERM is told where it stands, as after Ctrl-C.
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            with start_errors():
                self.values = project_settings(**explicit_settings(self.settings))
                self.work(Configuration.from_settings(self.values), args, opts)
        except (StartError, ExportError) as error:
            self.refuse(str(error))
        except KeyboardInterrupt:
            sys.stderr.write("Interrupted; run the same command again to go on.\n")
            self.exitcode = self.interrupted
        finally:
            signal.signal(signal.SIGTERM, before)
