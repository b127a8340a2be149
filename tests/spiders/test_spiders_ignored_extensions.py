"""Which files a crawl does not download, by their extension."""

import pytest

from ragcrawler.spiders.ignored_extensions import IGNORED


@pytest.mark.parametrize("extension", ["pdf", "docx", "pptx", "xlsx", "odt", "epub", "md", "html", ""])
def test_a_file_with_a_converter_is_downloaded(extension: str) -> None:
    assert extension not in IGNORED


@pytest.mark.parametrize("extension", ["doc", "xls", "ppt", "ods", "png", "zip", "mp4"])
def test_a_file_without_a_converter_is_left_out_before_the_download(extension: str) -> None:
    assert extension in IGNORED
