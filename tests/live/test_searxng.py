"""A real SearXNG, in an environment of its own: `benchmarks/discover.py --environment FOLDER` makes one."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from discover import discover, searxng, site

PYTHON = os.environ.get("SEARXNG_PYTHON", "")
pytestmark = pytest.mark.skipif(
    not PYTHON, reason="tests of SearXNG need SEARXNG_PYTHON, see benchmarks/discover.py"
)
PAGES = {f"/pages/{page}-{number}.html" for page in (1, 2) for number in (0, 1, 2)}


def test_a_real_searxng_is_paged_names_silent_engines_and_says_that_json_is_off(tmp_path: Path) -> None:
    with site() as site_url:
        domains = ("-a", f"domains={urlsplit(site_url).netloc}", "-a", "per_domain=0", "-a", "pages=5")
        with searxng(Path(PYTHON), tmp_path, site_url) as url:
            silent = discover(tmp_path / "one", url, "silent", *domains)
        with searxng(Path(PYTHON), tmp_path, site_url, "[html]") as url:
            refused = discover(tmp_path / "two", url, "pump", *domains)
    assert (silent["exit_code"], set(silent["found"])) == (4, PAGES)  # type: ignore[call-overload]
    assert silent["stats"]["unresponsive/searxng.local html/blocked"] == 1  # type: ignore[index]
    assert (refused["exit_code"], refused["found"]) == (3, [])
