"""Formulas: MathML, KaTeX, MathJax and others as TeX in `tex-inline` and `tex-display` elements."""

from lxml import etree, html

from ragcrawler.conversion.html.preparation.formulas.delimited import mark_delimited_text
from ragcrawler.conversion.html.preparation.formulas.mathml import is_mathml, mathml_to_tex
from ragcrawler.conversion.html.preparation.formulas.source import FormulaSource, tidy_tex
from ragcrawler.conversion.html.preparation.formulas.sources import list_formula_sources

_WRAPPERS = (
    "ancestor::*[self::mjx-container or contains(concat(' ', @class, ' '), ' katex ')"
    " or contains(concat(' ', @class, ' '), ' katex-display ') or contains(@class, 'mwe-math-element')"
    " or contains(concat(' ', @class, ' '), ' MathJax ')"
    " or contains(concat(' ', @class, ' '), ' MathJax_Display ')"
    " or contains(concat(' ', @class, ' '), ' MathJax_SVG ')]"
)
_RENDERED = (
    ".//*[contains(concat(' ', @class, ' '), ' MathJax_Preview ')"
    " or contains(concat(' ', @class, ' '), ' MathJax ')"
    " or contains(concat(' ', @class, ' '), ' MathJax_Display ')"
    " or contains(concat(' ', @class, ' '), ' MathJax_SVG ') or contains(@class, 'MJX_Assistive_MathML')]"
)
_MATHML = ("math", "m:math", "mml:math", "mathml:math")


def mark_formulas(body: html.HtmlElement) -> None:
    """Replace each formula, with everything that renders it, by its TeX source."""
    scripts = _mark_scripts(body)
    if scripts:
        for element in body.xpath(_RENDERED):
            element.drop_tree()
    for element in list(body.iter(*_MATHML)):
        if element.getparent() is not None:
            _replace(FormulaSource(_outermost(element), _tex_of(element), is_display=_is_display(element)))
    for source in list_formula_sources(body):
        _replace(source)
    join_equations(body)
    mark_delimited_text(body)


def _mark_scripts(body: html.HtmlElement) -> bool:
    """Sources that MathJax 2 reads out of `script` elements; whether there were any."""
    found = [script for script in body.iter("script") if script.get("type", "").startswith("math/")]
    for script in found:
        kind, text = script.get("type", ""), script.text or ""
        if kind.startswith("math/tex"):
            _replace(FormulaSource(script, text, is_display="mode=display" in kind))
        elif kind.startswith("math/mml") and text.strip():
            formula = html.fragment_fromstring(text, create_parent="div")
            math = next(formula.iter(*_MATHML), formula)
            _replace(FormulaSource(script, _tex_of(math), is_display=math.get("display") == "block"))
    return bool(found)


def _outermost(element: html.HtmlElement) -> html.HtmlElement:
    wrappers = element.xpath(_WRAPPERS)
    return wrappers[0] if wrappers else element


def _tex_of(element: html.HtmlElement) -> str:
    for annotation in element.iter():
        if is_mathml(annotation, "annotation") and "tex" in annotation.get("encoding", "").lower():
            return str(annotation.text_content())
    return str(element.get("alttext") or element.get("data-latex") or mathml_to_tex(element))


def _is_display(element: html.HtmlElement) -> bool:
    classes = " ".join(outer.get("class", "") for outer in element.xpath(_WRAPPERS))
    is_marked = any(outer.get("display") == "true" for outer in element.iterancestors("mjx-container"))
    return (
        element.get("display") == "block"
        or element.get("mode") == "display"
        or is_marked
        or "katex-display" in classes
        or "-display" in classes
        or "MathJax_Display" in classes
    )


def _replace(source: FormulaSource) -> None:
    parent = source.element.getparent()
    if parent is None:
        return
    formula = etree.Element("tex-display" if source.is_display else "tex-inline")
    formula.text = tidy_tex(source.tex)
    formula.tail = source.element.tail
    if source.element.get("id"):
        formula.set("id", source.element.get("id"))
    parent.replace(source.element, formula)


_ROWS = ".//*[contains(@class, 'ltx_eqn_row')]"
_NUMBERS = ".//*[contains(@class, 'ltx_tag_equation')]"


def join_equations(body: html.HtmlElement) -> None:
    """Make each row a `tex-display` element, in a division in place of the table."""
    for table in [each for each in body.iter("table") if "ltx_eqn_table" in each.get("class", "")]:
        formulas = [formula for row in table.xpath(_ROWS) if (formula := _join(row)) is not None]
        parent = table.getparent()
        if not formulas or parent is None:
            continue
        division = etree.Element("div")
        division.extend(formulas)
        division.tail = table.tail
        if table.get("id"):
            division.set("id", table.get("id"))
        parent.replace(table, division)


def _join(row: html.HtmlElement) -> html.HtmlElement | None:
    sources = [formula.text or "" for formula in row.iter("tex-inline", "tex-display")]
    if not sources:
        return None
    number = "".join(text.strip(" ()") for found in row.xpath(_NUMBERS)[:1] for text in found.itertext())
    formula: html.HtmlElement = etree.Element("tex-display")
    formula.text = " ".join(sources) + (f" \\tag{{{number}}}" if number else "")
    return formula
