"""Which files a crawl does not download, by their extension."""

import pytest

from ragcrawler.spiders.seeds_setup import IGNORED


@pytest.mark.parametrize(
    "extension", ["pdf", "docx", "odt", "ods", "odp", "rtf", "epub", "csv", "ipynb", "md", "html", ""]
)
def test_a_file_with_a_converter_is_downloaded(extension: str) -> None:
    assert extension not in IGNORED


@pytest.mark.parametrize("extension", ["doc", "xls", "ppt", "odg", "png", "zip", "mp4", "mobi", "whl"])
def test_a_file_without_a_converter_is_left_out_before_the_download(extension: str) -> None:
    assert extension in IGNORED


@pytest.mark.parametrize("word", ["dot", "key", "class", "pages", "1"])
def test_a_word_behind_a_full_stop_is_no_extension(word: str) -> None:
    assert word not in IGNORED
