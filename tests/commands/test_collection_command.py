"""The base of commands that work on a whole collection."""

import argparse
import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from scrapy.settings import Settings

from ragcrawler.commands.base.collection_command import CollectionCommand
from tests.warm_process import PROJECT

INTERRUPTED = 130


class Interrupted(CollectionCommand):
    """Is sent a signal while it works."""

    def __init__(self, number: signal.Signals) -> None:
        self.settings = Settings()
        self.exitcode = 0
        self._number = number

    def work(self, configuration: Any, args: list[str], opts: argparse.Namespace) -> None:
        os.kill(os.getpid(), self._number)
        raise AssertionError("it went on")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_ended_says_that_it_was_interrupted(
    capsys: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    command = Interrupted(number)
    command.run([], argparse.Namespace())
    assert command.exitcode == INTERRUPTED
    assert "Interrupted; run the same command again" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) is before


def test_the_tests_know_ctrl_c_in_the_background_of_a_script_too() -> None:
    name = test_a_command_that_is_ended_says_that_it_was_interrupted.__name__
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{__file__}::{name}"]
    program = ["/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh", *command]
    ended = subprocess.run(program, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
