"""Passwords in URLs, kept out of everything that is shown or written."""

import re

# Up to the last "@" before the path's end: a password may itself hold "/" or "@".
_USER_INFORMATION = re.compile(r"(?<=//)[^\s\"'<>]*@")
HIDDEN = "***"


def mask_credentials(text: str) -> str:
    """The text with user and password of each URL in it as `***`."""
    return _USER_INFORMATION.sub(f"{HIDDEN}@", text) if "@" in text else text
