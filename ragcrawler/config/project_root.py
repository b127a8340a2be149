"""The project's root, which is known before any setting is."""

from pathlib import Path

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader


def check_project_root(read: SettingsReader) -> None:
    """Refuse a root that is given too late, or that is not there.

    Raises:
        SettingError: says which of the two.
    """
    from ragcrawler.settings import RAGCRAWLER_ROOT

    if (given := read.text("RAGCRAWLER_ROOT")) != RAGCRAWLER_ROOT:
        expected = "in the environment, since it says where .env is; to set OUTPUT_DIR may be enough"
        raise SettingError("RAGCRAWLER_ROOT", given, expected)
    if not Path(given).is_dir():
        raise SettingError("RAGCRAWLER_ROOT", given, "a folder that is there")
