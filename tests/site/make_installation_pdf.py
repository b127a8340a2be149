"""Writes pages/downloads/installation.pdf.

uv run --with reportlab python tests/site/make_installation_pdf.py
"""

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import (
    PageBreak,
    Paragraph,
    Preformatted,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from ragcrawler.site_server import DEMO_SITE

TARGET = DEMO_SITE / "pages/downloads/installation.pdf"
STYLES = getSampleStyleSheet()

TERMINALS = [
    ["Terminal", "Connects to", "Cable", "Fuse"],
    ["1, 2", "24 V supply", "2 x 2.5 mm²", "6.3 A slow"],
    ["3, 4", "Vent motor M1", "2 x 1.5 mm²", "4 A"],
    ["5, 6", "Vent motor M2", "2 x 1.5 mm²", "4 A"],
    ["7 to 14", "Relays R1 to R4", "2 x 1.5 mm² each", "10 A each"],
    ["15, 16", "RS-485 A and B", "twisted pair, shielded", "none"],
    ["17", "Shield, on one side only", "", "none"],
]


class Outlined(SimpleDocTemplate):
    """Puts the headings into the file's outline."""

    def afterFlowable(self, flowable: object) -> None:  # noqa: N802 - the library's name
        if isinstance(flowable, Paragraph) and flowable.style.name.startswith("Heading"):
            text = flowable.getPlainText()
            self.canv.bookmarkPage(text)
            self.canv.addOutlineEntry(text, text, int(flowable.style.name[-1]) - 1)


def frame(canvas: object, document: object) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawString(56, A4[1] - 36, "Orangery OR-4 installation sheet")
    canvas.drawRightString(A4[0] - 56, 30, f"Page {document.page}")


def heading(text: str, level: int) -> Paragraph:
    return Paragraph(text, STYLES[f"Heading{level}"])


def text(words: str) -> Paragraph:
    return Paragraph(words, STYLES["BodyText"])


def wiring_table() -> Table:
    table = Table(TERMINALS, hAlign="LEFT", spaceBefore=6, spaceAfter=6)
    table.setStyle(
        TableStyle(
            [
                ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
                ("FONT", (0, 0), (-1, 0), "Helvetica-Bold"),
                ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ]
        )
    )
    return table


def story() -> list[object]:
    return [
        heading("Installation of the OR-4", 1),
        text(
            "This sheet is for the electrician who mounts the board. It covers the place, the wiring "
            "and the first measurement. Everything after that is software and stands in the online "
            "documentation."
        ),
        heading("Choosing the place", 2),
        text(
            "Mount the board inside the house but out of the spray, in a box of at least IP65, "
            "between one and two metres above the ground. It stands -20 to 55 °C and up to 95 % "
            "humidity without condensation. Keep 30 cm distance from frequency converters and "
            "contactors."
        ),
        heading("Wiring", 2),
        text(
            "All terminals take wires up to 2.5 mm². Tighten with 0.5 Nm. The table goes from left to right."
        ),
        wiring_table(),
        text(
            "Run the bus cable apart from mains cables, at 10 cm or more, and cross them at a right "
            "angle. The shield is earthed at the board only: earthed at both ends it carries currents"
            " of its own."
        ),
        PageBreak(),
        heading("Earthing and lightning", 2),
        text(
            "Connect the rail of the box to the house's earth with 6 mm². Where the bus leaves the "
            "building, fit a surge arrester of type D1 for RS-485 at the point of entry; lightning a "
            "kilometre away is enough to destroy every sensor on an unprotected line."
        ),
        heading("First measurement", 2),
        text("Before the board is plugged in, measure between A and B with all devices connected:"),
        Preformatted(
            "60 ohm    both terminators in place\n120 ohm   one terminator missing\nopen      cable broken",
            STYLES["Code"],
        ),
        Spacer(1, 8),
        text(
            "Then switch on the supply and measure at terminals 1 and 2 while a motor runs: 23.5 V or"
            " more is right."
        ),
        heading("Handover", 2),
        text(
            "Show the grower the main switch, the fuse of each terminal, and the button that puts the"
            " board back to its first state: it has to be held for twelve seconds. Write the date and"
            " your name on the box."
        ),
    ]


def main() -> None:
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    template = Outlined(
        str(TARGET), pagesize=A4, title="OR-4 installation sheet", author="The Orangery growers", invariant=1
    )
    template.build(story(), onFirstPage=frame, onLaterPages=frame)


if __name__ == "__main__":
    main()
