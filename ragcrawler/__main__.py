"""The program `ragcrawler`: every command of `scrapy`, in a project or without one."""

import os

from scrapy.cmdline import execute
from scrapy.settings import Settings
from scrapy.utils.conf import init_env
from scrapy.utils.project import ENVVAR, get_project_settings

_OUR_SETTINGS = "ragcrawler.settings"


def program_settings() -> Settings:
    """The settings of the user's own project, and below them ours as defaults.

    The project is what `SCRAPY_SETTINGS_MODULE` or a scrapy.cfg names, as with `scrapy`; else it is ours.
    """
    init_env(os.environ.get("SCRAPY_PROJECT", "default"))
    os.environ.setdefault(ENVVAR, _OUR_SETTINGS)
    settings = get_project_settings()
    settings.setmodule(_OUR_SETTINGS, priority="default")
    return settings


def main() -> None:
    """Run the command that the arguments name."""
    execute(settings=program_settings())


if __name__ == "__main__":
    main()
