"""Numbers and dates of a worksheet as a reader sees them: 25 % for 0.25.

Format codes: ECMA-376 part 1, 18.8.31. What they say of colours, widths and fractions is left out.
"""

import re
from datetime import date, datetime, time

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]|[_*].'
    r"|(?P<core>[#0?][#0?,]*(?:\.[#0?]+)?,*)|(?P<sign>.)"
)
_SHOWN_SIGNS = frozenset("%$€£¥ -+()/:°")
_GENERAL = ("General", "@", "")
_MAX_CODE_CHARACTERS = 200
_MAX_DIGITS = 15  # as many as a number of a sheet has


def shown_value(value: object, code: str, *, is_date: bool) -> str:
    """The text that a cell shows; of a kind of format that is not known, the plain value."""
    if isinstance(value, datetime) and value.time() == time() and not re.search("[hHsS]", code):
        return value.date().isoformat()
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bool) or not isinstance(value, int | float) or is_date or code in _GENERAL:
        return str(value)
    return _number(value, code[:_MAX_CODE_CHARACTERS])


def _number(value: float, code: str) -> str:
    positive, _, rest = code.partition(";")
    section = rest.partition(";")[0] if value < 0 and rest else positive
    tokens = list(_TOKEN.finditer(section))
    cores = [token["core"] for token in tokens if token["core"]]
    signs = {token["sign"] for token in tokens if token["sign"]}
    if len(cores) != 1 or signs - _SHOWN_SIGNS or "/" in signs:
        return str(value)
    is_signed = value < 0 and not rest
    number = abs(value) * (100 if "%" in signs else 1)
    pieces = [_piece(token, number) for token in tokens]
    return ("-" if is_signed else "") + "".join(pieces).strip()


def _piece(token: re.Match[str], number: float) -> str:
    if token["core"]:
        return _digits(token["core"], number)
    return token["quoted"] or token["escaped"] or token["currency"] or token["sign"] or ""


def _digits(core: str, number: float) -> str:
    """The number by its digits' code: `#,##0.00`, `00000`, `0.0,,` (in millions), `0.##`."""
    code = core.rstrip(",")
    whole, _, decimals = code.partition(".")
    grouping = "," if "," in whole else ""
    text = f"{number / 1000 ** (len(core) - len(code)):{grouping}.{min(len(decimals), _MAX_DIGITS)}f}"
    optional = len(decimals) - len(decimals.rstrip("#?"))
    if optional:
        text = text[: max(len(text.rstrip("0")), len(text) - optional)].rstrip(".")
    behind = len(text) - len(text.partition(".")[0])
    return text if grouping else text.zfill(min(whole.count("0"), _MAX_DIGITS) + behind)
