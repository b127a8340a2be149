"""Hostile and damaged input, converted apart: a result or a `ConversionError`, never anything else."""

import asyncio
import io
import operator
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from ragcrawler.conversion import ConversionError, Converted, convert
from ragcrawler.conversion.isolation import WorkerLimits, WorkerPool

MIB = 1024 * 1024
OPEN_XML = "application/vnd.openxmlformats-officedocument"
DOCX = f"{OPEN_XML}.wordprocessingml.document"
MUTANTS = 30
PRELOAD = (
    "docling.document_converter",
    "ragcrawler.conversion.html.convert_html",
    "ragcrawler.conversion.pdf.text_layer",
    "trafilatura",
)

ConvertApart = Callable[[bytes, str], Converted]


@pytest.fixture(scope="module")
def in_worker() -> Iterator[Callable[[Callable[[], object]], object]]:
    """Runs a picklable call in a worker process, one for the whole module."""
    limits = WorkerLimits(job_seconds=120.0, memory_bytes=1536 * MIB, replace_bytes=400 * MIB)
    pool: WorkerPool[Callable[[], object], object] = WorkerPool(
        operator.call, limits=limits, workers=1, preload=PRELOAD
    )
    with asyncio.Runner() as runner:
        yield lambda call: runner.run(pool.run(call))
        deaths = pool.statistics.deaths
        runner.run(pool.close())
    assert not deaths


@pytest.fixture
def convert_apart(in_worker: Callable[[Callable[[], object]], object]) -> ConvertApart:
    def run(body: bytes, content_type: str) -> Converted:
        converted = in_worker(partial(convert, body, content_type, "http://a.org/document"))
        assert isinstance(converted, Converted)
        return converted

    return run


def pdf(*objects: bytes, trailer: bytes = b"") -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalog."""
    out, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, len(out))
    )


def pdf_page(content: bytes, filters: bytes = b"") -> bytes:
    """A PDF of one page with this content stream."""
    return pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), filters, content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def archive(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in members.items():
            written.writestr(name, content)
    return buffer.getvalue()


def zip_bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
        written.writestr("[Content_Types].xml", b"<Types/>")
        with written.open("word/document.xml", "w") as member:
            for _ in range(300):
                member.write(b" " * MIB)
    return buffer.getvalue()


def word() -> bytes:
    import docx

    document = docx.Document()
    document.add_heading("Logs", 1)
    document.add_paragraph("They grow until they are rotated.")
    document.add_table(2, 2).cell(0, 0).text = "size"
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def workbook() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["size", "count"], [10, 7.5]):
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def epub() -> bytes:
    return archive(
        {
            "mimetype": b"application/epub+zip",
            "META-INF/container.xml": b'<container><rootfile full-path="c.opf"/></container>',
            "c.opf": b'<package><metadata/><manifest><item id="a" href="a.xhtml" '
            b'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
            "a.xhtml": b"<html><body><h1 id='x'>Logs</h1><p>See <a href='#x'>above</a>.</p></body></html>",
        }
    )


HTML = b"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Logs</title><base href="/docs/">
<meta property="og:title" content="Logs"><script type="application/ld+json">{"@type": "Article",
"author": {"name": "A"}, "datePublished": "2024-05-01"}</script></head><body><nav><a href="/">Home</a></nav>
<main><h1 id="logs">Rotating logs</h1><p>They <em>grow</em>; <a href="do.html#how">rotate</a> <code>x</code>.
<table><tr><th>Option<th colspan=2>Meaning</tr><tr><td rowspan=2>size<td>a<td>b</tr><tr><td>c</tr></table>
<ul><li>one<ul><li>two</ul></ul><ol start="3"><li>three</ol><dl><dt>term<dd>meaning</dl>
<div class="highlight-python"><pre><span class="k">def</span> f():\n    return 1 &lt; 2</pre></div>
<div class="admonition note"><p class="admonition-title">Note<p>Careful.</div><blockquote>said</blockquote>
<figure><img src="a.png" alt="A"><figcaption>Cap</figcaption></figure><math><mi>x</mi><mo>=</mo></math>
<details><summary>More</summary><p>text</p></details><p hidden>secret</p></main><footer>end</footer></html>"""

SAMPLES: dict[str, tuple[Callable[[], bytes], str]] = {
    "html": (lambda: HTML, "text/html; charset=utf-8"),
    "markdown": (
        lambda: b"---\ntitle: A\n---\n# One\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n\n```py\nx\n```\n",
        "text/markdown",
    ),
    "json": (lambda: b'{"a": [1, 2, {"b": "caf\\u00e9"}], "d": null}', "application/json"),
    "xml": (lambda: b'<?xml version="1.0"?><r><a b="c">text</a><!-- x --></r>', "application/xml"),
    "text": ("Grüße, 世界.\n\nSome words.\n".encode, "text/plain"),
    "pdf": (
        lambda: pdf_page(b"BT /F1 20 Tf 72 720 Td (Logs) Tj ET BT /F1 11 Tf 72 690 Td (They grow.) Tj ET"),
        "application/pdf",
    ),
    "docx": (word, DOCX),
    "xlsx": (workbook, f"{OPEN_XML}.spreadsheetml.sheet"),
    "epub": (epub, "application/epub+zip"),
}

FRAGMENTS = [
    *(b"<", b"</div>", b"<!--", b"]]>", b"<svg><math>", b"<![CDATA[", b"<ol start=99999999999999999999>"),
    *(
        b"<table><tr><td rowspan=99999 colspan=99999>",
        b"<base href='http://[x'>",
        b"<a href='http://a:99999/'>",
    ),
    *(b"\x00", b"\x01", b"&#1;", b"&#x110000;", b"\xff\xfe", b"\xed\xa0\x80", b"-1", b"99999999999"),
    *(b"endstream", b">>", b"R", b"`" * 50, b"{", b'"', b"["),
    b'<script type="application/ld+json">[[1, {"@type": 5, "author": [null, 3]}]]</script>',
]


def mutated(random_bytes: random.Random, body: bytes) -> bytes:
    """The body with some bytes changed, cut, repeated, moved or put in."""
    changed = bytearray(body)
    for _ in range(random_bytes.choice([1, 1, 2, 4, 10, 40])):
        start = random_bytes.randrange(len(changed) or 1)
        end = start + random_bytes.choice([1, 2, 8, 50, 500])
        piece = bytes(changed[start:end])
        elsewhere = random_bytes.randrange(len(changed) or 1)
        changed[start:end] = random_bytes.choice(
            [
                b"",
                piece * 2,
                piece * 30,
                random_bytes.randbytes(len(piece)),
                random_bytes.choice(FRAGMENTS) + piece,
            ]
        )
        if random_bytes.random() < 0.3:
            changed[elsewhere:elsewhere] = piece
    return bytes(changed)


def mutant(kind: str, number: int) -> bytes:
    """The same for the same arguments; archives are mutated inside of a member, every fourth as a whole."""
    random_bytes = random.Random(f"{kind} {number}")
    body = SAMPLES[kind][0]()
    if not body.startswith(b"PK") or number % 4 == 0:
        return mutated(random_bytes, body)
    with zipfile.ZipFile(io.BytesIO(body)) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    name = random_bytes.choice([name for name in members if not name.endswith("mimetype")])
    return archive(members | {name: mutated(random_bytes, members[name])})


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_sample_is_converted(kind: str, convert_apart: ConvertApart):
    make, content_type = SAMPLES[kind]
    assert convert_apart(make(), content_type).markdown.strip()


@pytest.mark.parametrize("kind", SAMPLES)
def test_mutated_input_is_converted_or_refused(kind: str, convert_apart: ConvertApart):
    unexpected = {}
    for number in range(MUTANTS):
        try:
            converted = convert_apart(mutant(kind, number), SAMPLES[kind][1])
            (converted.title + converted.markdown).encode()
        except ConversionError:
            continue
        except Exception as error:  # noqa: BLE001  all of them are told together
            unexpected[number] = f"{error!r}"
    assert unexpected == {}


ENCRYPTED = pdf(
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [] /Count 0 >>",
    b"<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%s> /U <%s> >>" % (b"11" * 32, b"22" * 32),
    trailer=b"/Encrypt 3 0 R /ID [<00> <00>]",
)
PAGES = b"<< /Type /Pages /Kids [%s] /Count 9999 >>" % (b"3 0 R " * 9999)
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + b"\x11" * 2000
BAD_INPUT: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "a truncated PDF": (lambda: SAMPLES["pdf"][0]()[:300], "application/pdf", "damaged"),
    "an encrypted PDF": (lambda: ENCRYPTED, "application/pdf", "encrypted"),
    "a PDF with too many pages": (
        lambda: pdf(b"<< /Type /Catalog /Pages 2 0 R >>", PAGES, b"<< /Type /Page /Parent 2 0 R >>"),
        "application/pdf",
        "too_many_pages",
    ),
    "a JPEG named as PDF": (lambda: JPEG, "application/pdf", "unsupported_type"),
    "a zip bomb named as DOCX": (zip_bomb, DOCX, "too_large"),
    "a DOCX in an encoding that nobody knows": (
        lambda: archive({"word/document.xml": b'<?xml version="1.0" encoding="none"?><d/>'}),
        DOCX,
        "damaged",
    ),
    "an archive that breaks off in its first member": (
        lambda: archive({"mimetype": b"application/epub+zip" * 9}).replace(b"\x4b\x2c", b"\xff\xff", 1),
        "application/zip",
        "unsupported_type",
    ),
    "a truncated DOCX": (lambda: word()[:2000], DOCX, "damaged"),
    "200 MB of HTML": (lambda: b"<p>word</p>" * (200 * MIB // 11), "text/html", "too_large"),
    "100,000 nested elements": (lambda: b"<div>" * 100_000 + b"words", "text/html", "too_deep"),
    "nothing": (lambda: b"", "text/html", "empty"),
    "white space": (lambda: b" \n\t ", "text/plain", "empty"),
    "a program sent as text": (
        lambda: b"\x7fELF" + bytes(range(256)) * 400,
        "text/plain",
        "unsupported_type",
    ),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_refused_with_its_reason(name: str, convert_apart: ConvertApart):
    make, content_type, reason = BAD_INPUT[name]
    with pytest.raises(ConversionError) as caught:
        convert_apart(make(), content_type)
    assert caught.value.reason == reason


def test_invalid_utf8_costs_the_characters_and_not_the_page(convert_apart: ConvertApart):
    body = b"<html><body><p>The words before " + b"\xff\xfe\x80" + b" and the words behind.</p></body></html>"
    markdown = convert_apart(body, "text/html; charset=utf-8").markdown
    assert "The words before" in markdown
    assert "and the words behind." in markdown


def test_memory_is_back_where_it_was(
    convert_apart: ConvertApart, in_worker: Callable[[Callable[[], object]], object]
):
    def resident_bytes() -> int:
        return int(str(in_worker(partial(Path.read_text, Path("/proc/self/statm")))).split()[1]) * 4096

    before = resident_bytes()
    content = zlib.compress(b"BT /F1 9 Tf 10 700 Td " + b"(aaaaaaaaaaaaaaaaaaaa) Tj " * 6_000 + b"ET")
    convert_apart(pdf_page(content, b"/Filter /FlateDecode"), "application/pdf")
    convert_apart(b"<h1>Title</h1>" + b"<p>Some words in a row.</p>" * 4000, "text/html")
    assert resident_bytes() < before + 300 * MIB
