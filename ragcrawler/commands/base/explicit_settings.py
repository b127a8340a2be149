"""The settings that a user set explicitly, for commands that need no project."""

from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings


def explicit_settings(settings: BaseSettings | None) -> dict[str, Any]:
    """The settings of the module and of `-s`, without Scrapy's defaults: these hold deprecated names."""
    if settings is None:
        return {}
    least = SETTINGS_PRIORITIES["project"]
    chosen = {name: settings[name] for name in settings if (settings.getpriority(name) or 0) >= least}
    chosen.pop("SETTINGS_MODULE", None)
    return chosen
