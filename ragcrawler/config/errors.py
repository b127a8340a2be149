"""What is wrong with a setting."""


class SettingError(ValueError):
    """A setting with a value that cannot be.

    Args:
        name: of the setting.
        value: what it was set to.
        expected: what would be right.
    """

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"{name} is {value!r}, but should be {expected}")
        self.name = name
