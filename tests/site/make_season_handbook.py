"""Writes pages/downloads/season-handbook.docx (needs python-docx).

python tests/site/make_season_handbook.py
"""

from datetime import UTC, datetime

from docx import Document

from ragcrawler.site_server import DEMO_SITE

TARGET = DEMO_SITE / "pages/downloads/season-handbook.docx"

MONTHS = [
    (
        "February",
        "Clean the glass",
        "Seedlings need every ray; dirty panes swallow up to a fifth of the light.",
    ),
    ("April", "Calibrate carbon dioxide", "Outdoors, twenty minutes, reference 420 ppm."),
    ("June", "Check the shade screen", "It has to close within four minutes of full travel."),
    ("September", "Grease the vent racks", "Then learn the travel times again."),
    ("October", "Test the heater", "Let it run for half an hour before the first frost does it for you."),
    ("December", "Read a year of history", "Look for sensors that drift and for rules that never fired."),
]


def main() -> None:
    document = Document()
    document.core_properties.title = "Season handbook"
    document.core_properties.author = "The Orangery growers"
    document.core_properties.comments = ""
    document.core_properties.created = document.core_properties.modified = datetime(2026, 3, 2, tzinfo=UTC)
    document.add_heading("Season handbook", level=1)
    document.add_paragraph(
        "A controller takes over the daily work, not the yearly one. This handbook lists what a "
        "person has to do, and when. Hang a copy beside the door and cross off what is done."
    )
    document.add_heading("The year in a table", level=2)
    table = document.add_table(rows=1, cols=3, style="Table Grid")
    for cell, text in zip(table.rows[0].cells, ("Month", "Task", "Why and how"), strict=True):
        cell.text = text
    for row in MONTHS:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_heading("Before the first frost", level=2)
    for text in (
        "Fill the oil tank to three quarters at least: a night at -10 °C burns up to 30 litres.",
        "Charge the buffer battery and note its age. After four winters it is replaced.",
        "Simulate frost with orangery simulate frost: vents close, the heater starts, alarm E01 rings.",
    ):
        document.add_paragraph(text, style="List Number")
    document.add_heading("After a storm", level=2)
    document.add_paragraph(
        "Walk once around the house before you release the vents. A rack that jumped a tooth does not"
        " show on the screen, but it breaks a pane at the next opening."
    )
    document.add_heading("Handing the house over", level=2)
    document.add_paragraph("Whoever looks after the house during the holidays needs three things:")
    for text in (
        "a user of the role operator, which ends by itself after 21 days;",
        "the telephone number of the oil dealer;",
        "this handbook, with the page on alarms marked.",
    ):
        document.add_paragraph(text, style="List Bullet")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    document.save(str(TARGET))


if __name__ == "__main__":
    main()
