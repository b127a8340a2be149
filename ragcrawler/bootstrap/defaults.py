"""The project's own settings as plain values, for programs that are no Scrapy project."""

from collections.abc import Mapping


def project_settings(**overrides: object) -> Mapping[str, object]:
    """What `settings.py` says, with some values replaced.

    Raises:
        SettingError: a name is no setting of the project.
    """
    from ragcrawler import settings as module
    from ragcrawler.bootstrap.errors import SettingError

    values = {name: value for name, value in vars(module).items() if name.isupper()}
    for name, value in overrides.items():
        if name not in values:
            raise SettingError(name, value, "left out: there is no setting of this name")
    return {**values, **overrides}
