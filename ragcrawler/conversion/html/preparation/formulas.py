"""Formulas: MathML, KaTeX, MathJax and Sphinx math as TeX in `tex-inline` and `tex-display` elements."""

from collections.abc import Iterator

from lxml import etree, html

from ragcrawler.conversion.html.preparation.formula_sources import list_formula_sources

_SCRIPTS = {
    "msup": ("^",),
    "msub": ("_",),
    "msubsup": ("_", "^"),
    "munder": ("_",),
    "mover": ("^",),
    "munderover": ("_", "^"),
}
_WRAPPERS = (
    "ancestor::*[self::mjx-container or contains(concat(' ', @class, ' '), ' katex ')"
    " or contains(concat(' ', @class, ' '), ' katex-display ') or contains(@class, 'mwe-math-element')"
    " or contains(concat(' ', @class, ' '), ' MathJax ')]"
)
_DELIMITED = (
    ".//*[contains(concat(' ', @class, ' '), ' math ') or contains(concat(' ', @class, ' '), ' arithmatex ')]"
)
_RENDERED = (
    ".//*[contains(concat(' ', @class, ' '), ' MathJax_Preview ')"
    " or contains(concat(' ', @class, ' '), ' MathJax ')"
    " or contains(concat(' ', @class, ' '), ' MathJax_Display ') or contains(@class, 'MJX_Assistive_MathML')]"
)


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


def mark_formulas(body: html.HtmlElement) -> None:
    """Replace each formula, with everything that renders it, by its TeX source."""
    for element in list(body.iter("math")):
        _replace(_outermost(element), _tex_of(element), display=_is_display(element))
    scripts = [script for script in body.iter("script") if script.get("type", "").startswith("math/tex")]
    for script in scripts:
        _replace(script, script.text or "", display="mode=display" in script.get("type", ""))
    if scripts:
        for element in body.xpath(_RENDERED):
            element.drop_tree()
    for element in _delimited(body):
        text = element.text_content().strip()
        _replace(element, text[2:-2], display=text.startswith("\\["))
    for source in list_formula_sources(body):
        _replace(source.element, source.tex, display=source.is_display)


def _delimited(body: html.HtmlElement) -> Iterator[html.HtmlElement]:
    r"""Elements of class `math` or `arithmatex` with `\(...\)` or `\[...\]`, as of Sphinx and MkDocs."""
    for element in body.xpath(_DELIMITED):
        text = element.text_content().strip()
        if (text.startswith("\\(") and text.endswith("\\)")) or (
            text.startswith("\\[") and text.endswith("\\]")
        ):
            yield element


def _outermost(element: html.HtmlElement) -> html.HtmlElement:
    wrappers = element.xpath(_WRAPPERS)
    return wrappers[0] if wrappers else element


def _tex_of(element: html.HtmlElement) -> str:
    for annotation in element.iter("annotation"):
        if "tex" in annotation.get("encoding", "").lower():
            return str(annotation.text_content())
    return str(element.get("alttext") or mathml_to_tex(element))


def _is_display(element: html.HtmlElement) -> bool:
    classes = " ".join(outer.get("class", "") for outer in element.xpath(_WRAPPERS))
    return element.get("display") == "block" or "katex-display" in classes or "-display" in classes


def _replace(element: html.HtmlElement, tex: str, *, display: bool) -> None:
    parent = element.getparent()
    if parent is None:
        return
    formula = etree.SubElement(parent, "tex-display" if display else "tex-inline")
    formula.text = " ".join(tex.split())
    formula.tail = element.tail
    parent.replace(element, formula)
