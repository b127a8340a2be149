"""Warnings about settings that are not read under their name."""

import sys
from typing import Any

from ragcrawler.commands.base.explicit_settings import explicit_settings


def warn_of_names(settings: Any) -> None:
    """Write a line on stderr for each name that is not read, and is near to one that is."""
    from ragcrawler.bootstrap.setting_names import name_warnings

    for warning in name_warnings(explicit_settings(settings)):
        sys.stderr.write(f"Warning: {warning}\n")
