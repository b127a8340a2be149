import pytest

from ragcrawler.retrieval.answering.answer import is_quoted

TEXT = """\
## Rotating

To **rotate the logs**, run `logrotate -f` — it's safe; see [the manual](https://x.example/man).
It is *not* supported on
Windows 95. Use user_name and "quotes". A [man page](https://x.example/man_(8)#logs "Manual") is there.
配線は専用ケーブルで行います。14 m/sの風で天窓が閉まります。
"""


@pytest.mark.parametrize(
    "quote",
    [
        "To rotate the logs, run logrotate -f",
        "to ROTATE   the\nlogs",
        "it\u2019s safe; see the manual.",
        "not supported on Windows 95",
        "**rotate the logs**",
        "user_name and \u201cquotes\u201d",
        "\u2026rotate the logs".lstrip("\u2026"),
        "A man page is there",
        "専用ケーブルで行い",
        "風で天窓",
        "14 m/sの風で",
    ],
)
def test_words_of_the_text_are_a_quote_however_they_are_marked(quote: str) -> None:
    assert is_quoted(quote, TEXT)


@pytest.mark.parametrize(
    "quote",
    [
        "It is supported on Windows 95",
        "To rotate the logs ... run logrotate",
        "otate the logs",
        "supported on Windows 9",
        "run",
        "the",
        "",
        "...",
        "https://evil.example/",
        "天窓が",
        "天窓が開きます",
    ],
)
def test_what_is_not_there_or_proves_nothing_is_none(quote: str) -> None:
    assert not is_quoted(quote, TEXT)
