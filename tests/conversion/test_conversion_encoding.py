"""Text out of bytes: the mark, what the bytes prove, header, document, detection."""

import pytest

from ragcrawler.conversion.detection.encoding import charset_of, decode

GERMAN = "Größe, Übung, Straße – „naïve“"
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5
JAPANESE = "いろはにほへと ちりぬるを わかよたれそ つねならむ。" * 5


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        (GERMAN.encode("utf-8"), "", GERMAN),
        (GERMAN.encode("utf-8"), "iso-8859-1", GERMAN),
        (GERMAN.encode("cp1252"), "iso-8859-1", GERMAN),
        (GERMAN.encode("cp1252"), "windows-1252", GERMAN),
        (GERMAN.encode("cp1252"), "utf-8", GERMAN),
        (GERMAN.encode("utf-8-sig"), "iso-8859-1", GERMAN),
        (GERMAN.encode("utf-16"), "", GERMAN),
        (GERMAN.encode("utf-16-le"), "utf-16-le", GERMAN),
        (RUSSIAN.encode("koi8-r"), "koi8-r", RUSSIAN),
        (RUSSIAN.encode("cp1251"), "", RUSSIAN),
        (JAPANESE.encode("shift_jis"), "shift_jis", JAPANESE),
        (JAPANESE.encode("euc-jp"), "euc-jp", JAPANESE),
        (JAPANESE.encode("iso-2022-jp"), "iso-2022-jp", JAPANESE),
        (b"plain", "no-such-charset", "plain"),
        (b"nul\0here", "", "nulhere"),
        (b"", "", ""),
    ],
)
def test_the_text_is_what_was_meant(body: bytes, charset: str, text: str) -> None:
    assert decode(body, charset) == text


@pytest.mark.parametrize("encoding", ["windows-1251", "koi8-r", "utf-8"])
def test_the_document_declares_what_the_header_leaves_out(encoding: str) -> None:
    body = f'<html><head><meta charset="{encoding}"></head><body>{RUSSIAN}'.encode(encoding)
    assert RUSSIAN in decode(body, "")


def test_a_few_stray_bytes_do_not_change_the_encoding() -> None:
    body = (GERMAN * 40).encode() + b" \xff " + (GERMAN * 40).encode()
    assert decode(body, "utf-8") == GERMAN * 40 + " \ufffd " + GERMAN * 40


def test_a_character_cut_off_at_the_end_is_one_replacement() -> None:
    assert decode((GERMAN * 20).encode() + b"\xc3", "utf-8") == GERMAN * 20 + "\ufffd"


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ('text/html;charset="ISO-8859-1"', "ISO-8859-1"),
        ("text/html; Charset = koi8-r; x=y", "koi8-r"),
        ("text/html", ""),
        ("", ""),
    ],
)
def test_the_charset_is_read_from_the_header(header: str, charset: str) -> None:
    assert charset_of(header) == charset
