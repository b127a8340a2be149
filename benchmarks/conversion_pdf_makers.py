"""PDFs of many makers and layouts, whose text is known, read by us, by pypdfium2 and by pdfplumber.

    uv run python benchmarks/conversion_pdf_makers.py PAGES [--folder F] [--half "mended by"] [--only NAME]

PAGES is a folder of HTML pages whose paragraphs make the documents: those of Debian's package
debian-handbook, say, unpacked by `dpkg -x`. Each layout is typeset by every maker that is installed; those
that are missing are named. On Debian the packages are texlive-latex-recommended, weasyprint, chromium,
wkhtmltopdf, libreoffice-writer-nogui, fop, groff, python3-reportlab, gir1.2-pango-1.0 and python3-gi-cairo;
typst comes with the development group. With `--folder` the PDFs are kept, and not made again; our Markdown
lies beside them.

By layout and by maker stands the mean of each measure for us, for the plain text of pypdfium2 and for
pdfplumber with its tables. How far we are ahead of the better of both has a 95 % interval from resamples of
documents.
"""

import argparse
import tempfile
from pathlib import Path

from pdf_makers.comparison import compare, report
from pdf_makers.layout import layouts, paragraphs
from pdf_makers.readers import by_conversion, by_pdfplumber, by_pypdfium2

READERS = {"ours": by_conversion, "pypdfium2": by_pypdfium2, "pdfplumber": by_pdfplumber}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", type=Path)
    parser.add_argument("--folder", type=Path, help="where the PDFs and our Markdown are kept")
    parser.add_argument("--half", choices=("mended by", "held back"))
    parser.add_argument("--only", default="", help="part of MAKER-LAYOUT")
    arguments = parser.parse_args()
    texts = paragraphs(arguments.pages)
    if len(texts) < 500:
        parser.error(f"{arguments.pages} holds {len(texts)} paragraphs of plain characters; 500 are needed")
    halves = {half: made for half, made in layouts(texts).items() if arguments.half in (None, half)}
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        report(list(compare(folder, halves, READERS, arguments.only)))


if __name__ == "__main__":
    main()
