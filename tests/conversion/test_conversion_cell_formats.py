"""Cells of a worksheet read as a reader sees them."""

from datetime import date, datetime, time

import pytest

from ragcrawler.conversion.office.cell_formats import shown_value


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (0.25, "0%", "25%"),
        (0.256, "0.0%", "25.6%"),
        (1234.5, "General", "1234.5"),
        (7, "General", "7"),
        (1234.5, "#,##0", "1,234"),
        (1234.5, "#,##0.00", "1,234.50"),
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (-3, "$#,##0.00", "-$3.00"),
        (-3, "#,##0;(#,##0)", "(3)"),
        (-3, "#,##0_);[Red](#,##0)", "(3)"),
        (2_500_000, '0.0,,"M"', "2.5M"),
        (1.5, "0.##", "1.5"),
        (2, "0.##", "2"),
        (5, '0 "pieces"', "5 pieces"),
        (0.5, "# ?/?", "0.5"),
        (12345.0, "0.00E+00", "12345.0"),
        (7, "0" * 300, "7".zfill(15)),
        (1067, "00000", "01067"),
        (True, "0%", "True"),
        ("text", "0%", "text"),
        (date(2024, 3, 5), "dd/mm/yyyy", "2024-03-05"),
        (datetime(2024, 3, 5), "dd/mm/yyyy", "2024-03-05"),
        (datetime(2024, 3, 5), "dd/mm/yyyy hh:mm", "2024-03-05 00:00:00"),
        (time(9, 30), "hh:mm", "09:30:00"),
    ],
)
def test_a_value_is_shown_as_its_format_says(value: object, code: str, shown: str) -> None:
    assert shown_value(value, code, is_date=False) == shown
