"""Code blocks as highlighters write them, made one `pre` that holds the code and nothing else."""

import re

from lxml import etree, html

_LINE_NUMBERS = re.compile(
    r"(?<!\S)(?:linenos?|line-?numbers?(?:-rows)?|lineno|gutter|blob-num|hljs-ln-numbers|hljs-ln-n|rouge-gutter|"
    r"ec-line-num|react-code-text-line-number|copybtn|copy-?button|code-copy|toolbar)(?!\S)",
    re.IGNORECASE,
)
_CODE_TABLE = re.compile(
    r"(?<!\S)(?:highlighttable|rouge-table|hljs-ln|syntaxhighlighter|highlight|crayon-table|"
    r"js-file-line-container)(?!\S)"
)
_LINE_ELEMENTS = frozenset(("div", "p", "li", "tr"))


def tidy_code_blocks(body: html.HtmlElement) -> None:
    """Take out line numbers and copy buttons, make code tables a `pre`, end every line."""
    for table in list(body.iter("table")):
        if _CODE_TABLE.search(table.get("class", "")):
            _table_to_pre(table)
    for pre in body.iter("pre"):
        if len(pre):
            _drop_line_numbers(pre)
            _end_lines(pre)
    for code in list(body.iter("code")):
        if _is_block(code):
            code.tag = "pre"


def _drop_line_numbers(element: html.HtmlElement) -> None:
    for inner in element.xpath(".//*[@class]"):
        if _LINE_NUMBERS.search(inner.get("class", "")) and inner.getparent() is not None:
            inner.drop_tree()


def _end_lines(pre: html.HtmlElement) -> None:
    """Lines that are elements end where the element ends; `br` is a line break."""
    for inner in pre.iter("br", *_LINE_ELEMENTS):
        if inner.tag == "br":
            inner.text = "\n"
        elif inner.getnext() is not None and not _ends_line(inner):
            inner.tail = "\n" + (inner.tail or "")


def _ends_line(element: html.HtmlElement) -> bool:
    return "\n" in (element.tail or "") or bool(element.text_content().endswith("\n"))


def _table_to_pre(table: html.HtmlElement) -> None:
    _drop_line_numbers(table)
    lines = [cell.text_content() for row in table.iter("tr") for cell in row.iter("td")]
    code = next(table.iter("pre"), None)
    parent = table.getparent()
    if parent is None or not lines:
        return
    pre = etree.SubElement(parent, "pre")
    pre.text = (
        code.text_content() if code is not None else "\n".join(line.rstrip("\n") for line in lines)
    ).strip("\n")
    pre.set("class", " ".join([table.get("class", ""), code.get("class", "") if code is not None else ""]))
    pre.tail = table.tail
    parent.replace(table, pre)


def _is_block(code: html.HtmlElement) -> bool:
    """Code of several lines that is all there is in its parent."""
    text = code.text_content().strip("\n") if "\n" in (code.text_content() or "") else ""
    parent = code.getparent()
    if "\n " not in text or parent is None or parent.tag not in ("div", "figure", "section", "td", "p"):
        return False
    return not (parent.text or "").strip() and not (code.tail or "").strip() and len(parent) == 1
