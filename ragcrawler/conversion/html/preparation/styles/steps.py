"""How much work a page's style sheets may make: a page that asks for more is refused, not half read."""

# A step takes about half a microsecond. Of 220 public pages the one with the most style takes 1.5 million.
_MAX_STEPS = 20_000_000


class StyleError(Exception):
    """Style sheets of a page that are too much to tell what they hide."""


class Steps:
    """Counts the steps of all that is done for the style sheets of one page."""

    def __init__(self) -> None:
        self._left = _MAX_STEPS

    def take(self, count: int) -> None:
        """Count some steps.

        Raises:
            StyleError: there are too many.
        """
        self._left -= count
        if self._left < 0:
            raise StyleError(
                f"the page's style sheets take more than {_MAX_STEPS} steps: what they hide cannot be told"
            )
