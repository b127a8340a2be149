"""What a user chose of the settings, for commands that need no project."""

from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings


def explicit_settings(settings: BaseSettings | None) -> dict[str, Any]:
    """What the settings module and `-s` say: Scrapy's own defaults hold names that it withdrew."""
    if settings is None:
        return {}
    least = SETTINGS_PRIORITIES["project"]
    chosen = {name: settings[name] for name in settings if (settings.getpriority(name) or 0) >= least}
    chosen.pop("SETTINGS_MODULE", None)
    return chosen
