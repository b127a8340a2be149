"""The project's own settings as plain values, for programs that are no Scrapy project."""

from collections.abc import Mapping

from ragcrawler.config.errors import SettingError


def project_settings(**overrides: object) -> Mapping[str, object]:
    """The values of `settings.py`, with some of them replaced.

    Raises:
        SettingError: a name is a setting neither of the project nor of Scrapy.
    """
    from scrapy.settings import default_settings

    from ragcrawler import settings as module

    values = {name: value for name, value in vars(module).items() if name.isupper()}
    known = {*values, *default_settings.__all__}
    for name, value in overrides.items():
        if name not in known:
            raise SettingError(name, value, "left out: there is no setting of this name")
    return {**values, **overrides}
