"""Check all settings before anything heavy is loaded."""

import os
from collections.abc import Mapping
from pathlib import Path


def validate_settings(settings: Mapping[str, object]) -> str:
    """Why a crawl with these settings cannot begin, "" where it can."""
    # Scrapy imports this module, as every one of this folder, at each call of any command.
    from ragcrawler.config.checks import refusals
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.stores import DiskFullError, FreeSpace

    for refusal in refusals(settings):
        return refusal
    configuration = Configuration.from_settings(settings)
    if refusal := _unwritable(configuration.output_folder):
        return refusal
    try:
        FreeSpace(configuration.output_folder, configuration.store.reserve_bytes).require()
    except DiskFullError as error:
        return str(error)
    return ""


def _unwritable(folder: Path) -> str:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return (
            f"OUTPUT_DIR is {str(folder)!r}, which cannot be made: {error.strerror}; set it to another folder"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"OUTPUT_DIR is {str(folder)!r}, where this user may not write; set it to another folder"
    return ""
