"""PDFs by LaTeX."""

import re
import subprocess
from pathlib import Path

from pdf_makers.layout import FOOTER, HEADER, Block, Layout

_SPECIAL = {**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            "\\": r"\textbackslash{}", "<": r"\textless{}", ">": r"\textgreater{}", '"': "''", "|": r"\textbar{}"}  # fmt: skip


def pdflatex(layout: Layout, path: Path) -> bool:
    source = path.with_suffix(".tex")
    source.write_text(_document(layout), encoding="ascii")
    command = ["pdflatex", "-interaction=batchmode", f"-output-directory={path.parent}", source]
    for _ in range(2):
        subprocess.run(command, check=False, capture_output=True, timeout=120)
    return path.exists()


def escape(text: str) -> str:
    return re.sub(r"[&%$#_{}~^\\<>\"|]", lambda found: _SPECIAL[found[0]], text)


def _document(layout: Layout) -> str:
    style = {"": "empty", "first": "empty", "all": "fancy"}[layout.header]
    spread = "" if layout.justified else r"\raggedright"
    parskip = "" if layout.indented else r"\setlength{\parindent}{0pt}\setlength{\parskip}{5pt}"
    indent = r"\setlength{\parindent}{15pt}\setlength{\parskip}{0pt}" if layout.indented else parskip
    begin, end = "", ""
    if layout.columns > 1:
        begin, end = rf"\begin{{multicols}}{{{layout.columns}}}", r"\end{multicols}"
    title = "".join(_block(block) for block in layout.blocks if block.kind == "title")
    body = "".join(_block(block) for block in layout.blocks if block.kind != "title")
    first = r"\thispagestyle{fancy}" if layout.header else ""
    fonts = rf"\fontsize{{{layout.size}}}{{{layout.size * 1.2}}}\selectfont"
    return rf"""\documentclass[10pt]{{article}}
\usepackage[a4paper,textwidth={layout.width}pt,textheight=680pt]{{geometry}}
\usepackage{{multicol,fancyhdr,graphicx}}
\pagestyle{{{style}}}\fancyhf{{}}\lhead{{{HEADER}}}\cfoot{{{FOOTER} \thepage}}\renewcommand{{\headrulewidth}}{{0pt}}
\setcounter{{secnumdepth}}{{0}}\columnsep=18pt\emergencystretch=3em
\begin{{document}}{first}{title}{begin}{fonts}{spread}{indent}
{body}
{end}\end{{document}}
"""


def _block(block: Block) -> str:
    text = escape(block.text)
    if block.kind == "table":
        return _table(block)
    if block.note:
        text += rf"\footnote{{{escape(block.note)}}}"
    boxed = r"\begin{center}\fbox{\parbox{0.6\linewidth}{\small %s}}\end{center}"
    turned = r"\marginpar{\rotatebox{90}{\footnotesize %s}}"
    wraps = {
        "title": r"{\LARGE\noindent %s\par}\bigskip",
        "heading": r"\section{%s}",
        "item": r"\begin{itemize}\item %s\end{itemize}",
        "sidebar": boxed,
        "rotated": turned,
    }
    return wraps.get(block.kind, "%s\n\n") % text + "\n"


def _table(block: Block) -> str:
    columns = max(sum(cell.columns for cell in row) for row in block.rows)
    is_long = any(len(cell.text) > 60 for row in block.rows for cell in row)
    edge = "|" if block.ruled == "grid" else ""
    kinds = ["p{0.5\\linewidth}" if is_long and index == 1 else "l" for index in range(columns)]
    lines, waiting = [], {}
    for row in block.rows:
        cells, column, cells_of_row = [], 0, iter(row)
        while column < columns:
            if waiting.get(column, (0, 1))[0]:
                left, width = waiting[column]
                waiting[column] = (left - 1, width)
                cells.append(_spread("", width, edge, first=column == 0))
                column += width
                continue
            cell = next(cells_of_row)
            waiting[column] = (cell.rows - 1, cell.columns)
            cells.append(_spread(escape(cell.text), cell.columns, edge, first=column == 0))
            column += cell.columns
        lines.append(" & ".join(cells) + r"\\" + _rule(block, waiting, columns))
    head = r"\hline" if block.ruled != "none" else ""
    spec = edge + edge.join(kinds) + edge
    return (
        rf"\par\medskip\begin{{tabular}}{{{spec}}}{head}"
        + "\n".join(lines)
        + "\\end{tabular}\\par\\medskip\n"
    )


def _spread(text: str, columns: int, edge: str, *, first: bool) -> str:
    return rf"\multicolumn{{{columns}}}{{{edge if first else ''}l{edge}}}{{{text}}}" if columns > 1 else text


def _rule(block: Block, waiting: dict[int, tuple[int, int]], columns: int) -> str:
    """A rule below a row, but not through cells that go on."""
    if block.ruled == "none":
        return ""
    held = {column + step for column, (left, width) in waiting.items() if left for step in range(width)}
    free = [column for column in range(columns) if column not in held]
    return "".join(rf"\cline{{{column + 1}-{column + 1}}}" for column in free) if held else r"\hline"
