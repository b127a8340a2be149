"""Check all settings before anything heavy is loaded."""

import os
from collections.abc import Mapping
from pathlib import Path


def validate_settings(settings: Mapping[str, object]) -> str:
    """Why a crawl with these settings cannot begin, "" where it can."""
    # Scrapy imports this module, as every one of this folder, at each call of any command.
    from ragcrawler.config.configuration import Configuration
    from ragcrawler.config.crawling.discovery import DiscoveryConfig
    from ragcrawler.config.crawling.frontier import junk_filter
    from ragcrawler.config.crawling.politeness import PolitenessConfig
    from ragcrawler.config.crawling.response_cache import CacheConfig
    from ragcrawler.config.crawling.web_access import WebAccessConfig
    from ragcrawler.stores import DiskFullError, FreeSpace
    from ragcrawler.urls.errors import PatternError

    try:
        configuration = Configuration.from_settings(settings)
        PolitenessConfig.from_settings(settings)
        CacheConfig.from_settings(settings)
        DiscoveryConfig.from_settings(settings)
        WebAccessConfig.from_settings(settings)
        junk_filter(settings)
    except (ValueError, PatternError) as error:
        return str(error)
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
