"""Small documents that would take minutes, or all memory, in the calling process."""

from collections.abc import Callable

import pytest

from ragcrawler.conversion import ConversionError
from ragcrawler.conversion.isolation import WorkerLimits, convert_in_worker

MIB = 2**20
URL = "https://a.example/"
WORDS = "some words that stand in the middle of it all "


def html(body: str) -> bytes:
    return f"<main><h1>Title</h1><p>{WORDS * 3}</p>{body}</main>".encode()


def pdf_whose_form_draws_itself() -> bytes:
    """Under 700 bytes: the form's content asks twice for the form."""
    resources = b"/Resources << /XObject << /F 5 0 R >> >>"
    form = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] " + resources
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R " + resources + b" >>",
        b"<< /Length 5 >>\nstream\n/F Do\nendstream",
        form + b" /Length 11 >>\nstream\n/F Do /F Do\nendstream",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % each for each in offsets)
    return body + table + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)


def test_a_document_is_converted_as_in_the_calling_process() -> None:
    converted = convert_in_worker(html("<p>And <b>more</b>.</p>"), "text/html", URL)
    assert converted.markdown.startswith("# Title\n\nsome words")
    assert converted.markdown.endswith("And **more**.\n")


def test_the_errors_of_a_conversion_come_through() -> None:
    with pytest.raises(ConversionError) as raised:
        convert_in_worker(b" ", "text/html", URL)
    assert raised.value.reason == "empty"


def test_a_form_that_draws_itself_takes_no_more_memory_than_allowed() -> None:
    body = pdf_whose_form_draws_itself()
    assert len(body) < 700
    with pytest.raises(ConversionError) as raised:
        convert_in_worker(
            body, "application/pdf", URL, worker=WorkerLimits(job_seconds=120, memory_bytes=512 * MIB)
        )
    assert raised.value.reason == "out_of_memory"


def test_what_takes_longer_than_it_may_ends_in_time() -> None:
    body = "<p>a <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></p>" * 50_000
    with pytest.raises(ConversionError) as raised:
        convert_in_worker(html(body), "text/html", URL, worker=WorkerLimits(job_seconds=1))
    assert raised.value.reason == "timed_out"


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(
            lambda: "<table>" + "<tr><td rowspan=1000 colspan=1000>x</td></tr>" * 2_600 + "</table>",
            id="spans",
        ),
        pytest.param(
            lambda: "<p " + " ".join(f"a{each}=b" for each in range(400_000)) + ">x</p>", id="attributes"
        ),
    ],
)
def test_spans_and_attributes_without_end_are_read(make: Callable[[], str]) -> None:
    assert "x" in convert_in_worker(html(make()), "text/html", URL).markdown
