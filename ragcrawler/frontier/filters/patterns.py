"""Regular expressions that come from a setting or an argument."""

import re

from ragcrawler.urls.errors import PatternError


def compile_pattern(name: str, pattern: str) -> re.Pattern[str]:
    """A pattern compiled without regard to case.

    A pattern that takes exponential time is its owner's: it comes from the settings, never from a site.

    Args:
        name: the setting or argument, for the message.
        pattern: the regular expression.

    Raises:
        PatternError: it does not compile.
    """
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise PatternError(name, pattern, str(error)) from error
