"""Text formats whose short source names something endless, or what is no text."""

import operator
from functools import partial

import pytest

from ragcrawler.conversion import convert
from ragcrawler.conversion.isolation import WorkerLimits, WorkerPool

YAML_BOMB = (
    b"---\na: &a [x, x, x, x, x, x, x, x, x]\n"
    + b"".join(b"%c: &%c [%s]\n" % (at, at, b", ".join([b"*%c" % (at - 1)] * 9)) for at in b"bcdefghij")
    + b"title: *j\nauthor: *j\ndate: *j\n---\nwords\n"
)
HARMLESS: dict[str, tuple[bytes, str, str]] = {
    "half a character in JSON": (b'{"a": "\\ud83d\\ude00 \\ud800"}', "application/json", "\U0001f600 \ufffd"),
    "half a character in YAML": (b'---\ntitle: "\\ud800"\n---\nwords\n', "text/markdown", "words"),
    "YAML that is endless as text": (YAML_BOMB, "text/markdown", "words"),
    "YAML nested without end": (b"---\na: " + b"[" * 20_000 + b"\n---\nwords\n", "text/markdown", "words"),
    "TOML nested without end": (b"+++\na = " + b"[" * 20_000 + b"\n+++\nwords\n", "text/markdown", "words"),
    "JSON nested without end": (b"[" * 100_000, "application/json", "[[["),
    "entities that multiply": (
        b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r>words &b;</r>',
        "application/xml",
        "words",
    ),
}


@pytest.mark.parametrize("name", HARMLESS)
async def test_what_looks_harmful_is_text_like_any_other(name: str):
    body, content_type, text = HARMLESS[name]
    # Apart, so that what is endless after all ends here.
    limits = WorkerLimits(job_seconds=60.0, memory_bytes=512 * 1024 * 1024)
    async with WorkerPool(operator.call, limits=limits, workers=1) as pool:
        converted = await pool.run(partial(convert, body, content_type, "http://a.org/document"))
    assert text in converted.markdown
    (converted.title + converted.markdown).encode()
