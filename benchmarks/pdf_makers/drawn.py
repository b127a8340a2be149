"""PDFs whose lines are placed by a program, as page layout programs do: ReportLab, and Pango on Cairo.

Both are asked for from the system's Python, to which distributions package them.
"""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

from pdf_makers.layout import FOOTER, HEADER, Layout

PYTHON = "/usr/bin/python3"
_FOLDER = Path(__file__).parent


def reportlab(layout: Layout, path: Path) -> bool:
    """Write it with ReportLab."""
    return _run("draw_with_reportlab.py", layout, path)


def cairo(layout: Layout, path: Path) -> bool:
    """Write it with Pango on Cairo; False for tables and footnotes, which these do not have."""
    if any(block.kind == "table" or block.note for block in layout.blocks):
        return False
    return _run("draw_with_cairo.py", layout, path)


def _run(program: str, layout: Layout, path: Path) -> bool:
    running = {"head": HEADER, "foot": FOOTER}
    given = json.dumps({"layout": asdict(layout), "path": str(path), "running": running})
    subprocess.run(
        [PYTHON, _FOLDER / program], input=given.encode(), check=True, capture_output=True, timeout=120
    )
    return True
