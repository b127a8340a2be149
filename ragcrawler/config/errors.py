"""The error of an invalid setting."""

from ragcrawler.urls.credentials import mask_credentials


class SettingError(ValueError):
    """A setting has an invalid value.

    Args:
        name: of the setting.
        value: what it was set to; passwords in URLs are not shown.
        expected: what would be right.
    """

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"{name} is {mask_credentials(repr(value))}, but should be {expected}")
        self.name = name
