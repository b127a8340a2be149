"""MathML without its TeX source, as TeX: a function an element (MathML Core, and what is left of 3)."""

import re
from collections.abc import Callable, Mapping

from lxml import html

from ragcrawler.conversion.html.preparation.formulas.signs import (
    ACCENTS,
    COMMANDS,
    FUNCTIONS,
    LARGE,
    UNDER_ACCENTS,
)

_ENVIRONMENTS = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", ("{", ""): "cases"}
_NOT_SHOWN = (
    "annotation",
    "annotation-xml",
    "mphantom",
    "mspace",
    "maligngroup",
    "malignmark",
    "mprescripts",
)
_PREFIX = re.compile(r"(?:m|mml|mathml):")
_ATOM = re.compile(r"\\?[^\W_]|\\[A-Za-z]+|\\mathbb\{\w\}", re.ASCII)
_SPACES = re.compile(r"\s+")
_TEXT_SIGNS = re.compile(r"[\\{}$%#&_^~]")


def mathml_to_tex(element: html.HtmlElement) -> str:
    """TeX that reads like the formula; unknown elements are looked through."""
    name = _name(element)
    if name in _NOT_SHOWN:
        return ""
    return _ELEMENTS.get(name, _row)(element)


def is_mathml(element: html.HtmlElement, name: str) -> bool:
    """Whether an element is one of MathML's, with or without a prefix."""
    return isinstance(element.tag, str) and _name(element) == name


def _name(element: html.HtmlElement) -> str:
    return _PREFIX.sub("", element.tag, count=1)


def _children(element: html.HtmlElement) -> list[html.HtmlElement]:
    return [child for child in element if isinstance(child.tag, str)]


def _parts(element: html.HtmlElement) -> list[str]:
    return [mathml_to_tex(child) for child in _children(element)]


def _joined(parts: list[str]) -> str:
    return " ".join(filter(None, parts))


def _braced(part: str) -> str:
    return part if len(part) == 1 else f"{{{part}}}"


def _base(part: str) -> str:
    """What scripts are put on: in braces unless it is one sign."""
    return part if len(part) == 1 or _ATOM.fullmatch(part) else f"{{{part}}}"


def _signs(text: str) -> str:
    return "".join(COMMANDS.get(sign, sign) for sign in text).strip()


def _token(element: html.HtmlElement) -> str:
    text = " ".join((element.text_content() or "").split())
    if len(text) == 1 or not text.isalpha() or not text.isascii():
        mapped = [COMMANDS.get(sign, sign) for sign in text]
        return "".join(part + " " * (part[:1] == "\\" and len(mapped) > 1) for part in mapped).strip()
    return f"\\{text}" if text in FUNCTIONS else f"\\mathrm{{{text}}}"


def _operator(element: html.HtmlElement) -> str:
    text = "".join((element.text_content() or "").split())
    return f"\\{text}" if text in FUNCTIONS else _signs(text)


def _number(element: html.HtmlElement) -> str:
    return _signs("".join((element.text_content() or "").split()))


def _text(element: html.HtmlElement) -> str:
    text = _SPACES.sub(" ", element.text_content() or "")
    escaped = _TEXT_SIGNS.sub(
        lambda found: "\\" + found.group() if found.group() not in "\\^~" else " ", text
    )
    return f"\\text{{{escaped}}}" if escaped.strip() else ""


def _row(element: html.HtmlElement) -> str:
    fenced = _fenced_table(element)
    if fenced:
        return fenced
    text = _signs((element.text or "").strip())
    return _joined([text, *_parts(element)])


def _fenced_table(element: html.HtmlElement) -> str:
    """A matrix in brackets, or cases behind a brace: the environment of that name."""
    children = _children(element)
    tables = [child for child in children if _name(child) == "mtable"]
    if len(tables) != 1 or len(children) > 3:  # noqa: PLR2004 - bracket, table, bracket
        return ""
    at = children.index(tables[0])
    around = [("".join(child.itertext())).strip() for child in children]
    fences = ("".join(around[:at]), "".join(around[at + 1 :]))
    return _table(tables[0], _ENVIRONMENTS[fences]) if fences in _ENVIRONMENTS else ""


def _table(element: html.HtmlElement, environment: str = "matrix") -> str:
    rows = []
    for row in _children(element):
        cells = _parts(row)
        if _name(row) == "mlabeledtr":
            cells = cells[1:]
        rows.append(" & ".join(cells))
    lines = r" \\ ".join(rows)
    return f"\\begin{{{environment}}} {lines} \\end{{{environment}}}"


def _fence(element: html.HtmlElement) -> str:
    opening, closing = element.get("open", "("), element.get("close", ")")
    children = _children(element)
    if len(children) == 1 and (opening, closing) in _ENVIRONMENTS and _name(children[0]) == "mtable":
        return _table(children[0], _ENVIRONMENTS[opening, closing])
    separators = "".join(element.get("separators", ",").split())
    joined = ""
    for index, part in enumerate(_parts(element)):
        sign = separators[min(index, len(separators)) - 1] if index and separators else ""
        joined += f"{sign} {part}" if index else part
    left, right = _signs(opening) or ".", _signs(closing) or "."
    return f"\\left{left} {joined} \\right{right}"


def _fraction(element: html.HtmlElement) -> str:
    parts = _parts(element)
    if len(parts) != 2:  # noqa: PLR2004 - above and below the line
        return _joined(parts)
    command = "binom" if element.get("linethickness", "").rstrip("pxemt%") == "0" else "frac"
    return f"\\{command}{{{parts[0]}}}{{{parts[1]}}}"


def _square_root(element: html.HtmlElement) -> str:
    return f"\\sqrt{{{_row(element)}}}"


def _root(element: html.HtmlElement) -> str:
    parts = _parts(element)
    if len(parts) != 2:  # noqa: PLR2004 - what is under it, and its index
        return _joined(parts)
    return f"\\sqrt[{parts[1]}]{{{parts[0]}}}"


def _scripts(*marks: str) -> Callable[[html.HtmlElement], str]:
    def convert(element: html.HtmlElement) -> str:
        base, *scripts = _parts(element) or [""]
        marked = (f"{mark}{_braced(part)}" for mark, part in zip(marks, scripts, strict=False) if part)
        return _base(base) + "".join(marked)

    return convert


def _over(element: html.HtmlElement) -> str:
    return _accented(element, ACCENTS, "^", "overset")


def _under(element: html.HtmlElement) -> str:
    return _accented(element, UNDER_ACCENTS, "_", "underset")


def _accented(element: html.HtmlElement, accents: Mapping[str, str], mark: str, command: str) -> str:
    children, parts = _children(element), _parts(element)
    if len(parts) != 2:  # noqa: PLR2004 - a base and what is over or under it
        return _joined(parts)
    base, script = parts
    accent = accents.get("".join(children[1].itertext()).strip())
    if accent:
        wide = {"hat": "widehat", "bar": "overline", "vec": "overrightarrow", "tilde": "widetilde"}
        accent = accent if _ATOM.fullmatch(base) else wide.get(accent, accent)
        return f"\\{accent}{{{base}}}"
    if base in LARGE:
        return f"{base}{mark}{_braced(script)}"
    # A brace over or under something takes its label as a script.
    if base.startswith(("\\overbrace", "\\underbrace")):
        return f"{base}{mark}{{{script}}}"
    return f"\\{command}{{{script}}}{{{base}}}"


def _under_and_over(element: html.HtmlElement) -> str:
    parts = _parts(element)
    if len(parts) != 3:  # noqa: PLR2004 - a base, what is under and what is over it
        return _joined(parts)
    base, under, over = parts
    if base in LARGE:
        return f"{base}_{_braced(under)}^{_braced(over)}"
    return f"\\overset{{{over}}}{{\\underset{{{under}}}{{{base}}}}}"


def _many_scripts(element: html.HtmlElement) -> str:
    children = _children(element)
    names = [_name(child) for child in children]
    split = names.index("mprescripts") if "mprescripts" in names else len(children)
    parts = [mathml_to_tex(child) for child in children]
    before = _pairs(parts[split + 1 :])
    return f"{'{}' + before if before else ''}{_base(parts[0])}{_pairs(parts[1:split])}" if parts else ""


def _pairs(scripts: list[str]) -> str:
    pairs = zip(scripts[::2], scripts[1::2], strict=False)
    return "".join(
        f"{mark}{_braced(part)}" for pair in pairs for mark, part in zip("_^", pair, strict=True) if part
    )


def _enclosed(element: html.HtmlElement) -> str:
    return f"\\boxed{{{_row(element)}}}" if "box" in element.get("notation", "") else _row(element)


def _first(element: html.HtmlElement) -> str:
    children = _children(element)
    return mathml_to_tex(children[0]) if children else ""


_ELEMENTS: Mapping[str, Callable[[html.HtmlElement], str]] = {
    "mi": _token,
    "mn": _number,
    "mo": _operator,
    "mtext": _text,
    "ms": _text,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "msup": _scripts("^"),
    "msub": _scripts("_"),
    "msubsup": _scripts("_", "^"),
    "mover": _over,
    "munder": _under,
    "munderover": _under_and_over,
    "mmultiscripts": _many_scripts,
    "mtable": _table,
    "mfenced": _fence,
    "menclose": _enclosed,
    "maction": _first,
    "semantics": _first,
}
