"""Equations that LaTeXML (arXiv, ar5iv) lays out in tables: a row is one formula with its number."""

from lxml import etree, html

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
