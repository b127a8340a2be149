"""The table of block constructs, one file each."""

from collections.abc import Mapping

from ragcrawler.conversion.html.constructs.admonition import render_division
from ragcrawler.conversion.html.constructs.code import render_code
from ragcrawler.conversion.html.constructs.definition_list import render_definition_list
from ragcrawler.conversion.html.constructs.formula import render_formula
from ragcrawler.conversion.html.constructs.heading import render_heading
from ragcrawler.conversion.html.constructs.lists import render_list
from ragcrawler.conversion.html.constructs.quote import render_quote
from ragcrawler.conversion.html.constructs.summary import render_summary
from ragcrawler.conversion.html.constructs.table import render_table
from ragcrawler.conversion.html.renderer import Construct
from ragcrawler.conversion.html.tags import HEADINGS

CONSTRUCTS: Mapping[str, Construct] = {
    **dict.fromkeys(HEADINGS, render_heading),
    "pre": render_code,
    "xmp": render_code,
    "ul": render_list,
    "ol": render_list,
    "menu": render_list,
    "dl": render_definition_list,
    "table": render_table,
    "blockquote": render_quote,
    "summary": render_summary,
    "tex-display": render_formula,
    "div": render_division,
    "aside": render_division,
    "section": render_division,
    "p": render_division,
}
"""Element -> how it is rendered; block elements that are not here are looked through."""
