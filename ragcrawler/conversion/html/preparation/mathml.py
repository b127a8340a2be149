"""MathML without a TeX annotation, as TeX: fractions, roots, scripts, tables; the rest as its text."""

from lxml import html

_SCRIPTS = {
    "msup": ("^",),
    "msub": ("_",),
    "msubsup": ("_", "^"),
    "munder": ("_",),
    "mover": ("^",),
    "munderover": ("_", "^"),
}


def mathml_to_tex(element: html.HtmlElement) -> str:
    """TeX that reads like the formula; unknown elements are looked through."""
    parts = [mathml_to_tex(child) for child in element if isinstance(child.tag, str)]
    if element.tag == "mfrac" and len(parts) > 1:
        return f"\\frac{{{parts[0]}}}{{{parts[1]}}}"
    if element.tag == "msqrt":
        return f"\\sqrt{{{' '.join(parts)}}}"
    if element.tag == "mroot" and len(parts) > 1:
        return f"\\sqrt[{parts[1]}]{{{parts[0]}}}"
    marks = _SCRIPTS.get(element.tag)
    if marks and len(parts) > len(marks):
        return parts[0] + "".join(
            f"{mark}{_braced(part)}" for mark, part in zip(marks, parts[1:], strict=False)
        )
    if element.tag == "mtr":
        return " & ".join(parts) + r" \\"
    text = (element.text or "").strip()
    return " ".join(filter(None, [text, *parts]))


def _braced(part: str) -> str:
    return part if len(part) == 1 else f"{{{part}}}"
