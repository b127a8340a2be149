"""`scrapy templates`: those that every database begins with are shown without one."""

import json
from pathlib import Path
from typing import Any


def test_templates_are_shown_without_a_server(scrapy: Any) -> None:
    listed = scrapy.run("templates", "list")
    assert (listed.returncode, listed.stderr) == (0, "")
    names = [line.split("  ")[0] for line in listed.stdout.splitlines()]
    assert names == ["company", "economy", "history", "science", "technology"]
    shown = scrapy.run("templates", "show", "company")
    assert json.loads(shown.stdout)["name"] == "company"
    missing = scrapy.run("templates", "show", "weather")
    assert missing.returncode == 1
    assert "there is no template 'weather'; there are company, economy" in missing.stderr
    assert not (Path(scrapy.output) / "postgres").exists()
