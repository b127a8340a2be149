"""Which pages are taken for shells, and what counts as a gain."""

import pytest

from ragcrawler.rendering.decision import has_gained, needs_scripts
from ragcrawler.rendering.reading import ENOUGH_CHARACTERS, PageReading, read_page

PROGRAM = '<script src="/app.js"></script>'
SENTENCE = "Water the seedlings in the early morning, and check the pressure of the pump once a week. "
MENU = "<nav>" + "".join(f'<a href="/{number}">Chapter {number}</a>' for number in range(40)) + "</nav>"


def page(body: str) -> bytes:
    return f"<!doctype html><html><head><title>Pumps</title></head><body>{body}</body></html>".encode()


@pytest.mark.parametrize(
    ("body", "needs"),
    [
        (f'<div id="root"></div>{PROGRAM}', True),
        (f"<div id=app>\n <!-- filled later -->\n</div>{PROGRAM}", True),
        (f'<div id="__next"><div class="spinner">Loading...</div></div>{PROGRAM}', True),
        (f"<app-root></app-root>{PROGRAM}", True),
        (f'{MENU}<div id="root"></div><footer>{SENTENCE * 5}</footer>{PROGRAM}', True),
        (f"<noscript>You need to enable JavaScript to run this app.</noscript>{PROGRAM}", True),
        (f"<noscript>Bitte aktivieren Sie JavaScript.</noscript><p>{SENTENCE}</p>{PROGRAM}", True),
        (f"<p>JavaScript is disabled in your browser.</p><p>{SENTENCE * 3}</p>{PROGRAM}", True),
        (f"{PROGRAM}", True),
        ("<script>document.body.textContent = 'all of it'</script>", True),
        ('<script type="module">import "/app.js"</script>', True),
        # No program: there is nothing to run.
        ('<div id="root"></div>', False),
        ('<div id="root"></div><script type="application/ld+json">{"name": "Pumps"}</script>', False),
        ('<div id="root"></div><script type="text/template"><p>Pumps</p></script>', False),
        # Text enough.
        (f"<p>{SENTENCE * 3}</p>{PROGRAM}", False),
        (f'<div id="root"><h1>Pumps</h1><p>{SENTENCE * 8}</p></div>{PROGRAM}', False),
        (f'<div id="root"></div><main>{SENTENCE * 30}</main>{PROGRAM}', False),
        (f"<noscript>Please enable JavaScript.</noscript><p>{SENTENCE * 15}</p>{PROGRAM}", False),
        # A diagram, or a short index: nothing is left for the scripts to fill.
        (f"<h1>Valve</h1><img src='valve.svg' alt='Valve'>{PROGRAM}", False),
        (f"<h1>Valve</h1><div class=x><svg viewBox='0 0 9 9'><path d='M0 0'/></svg></div>{PROGRAM}", False),
        (f"<h1>Parts</h1><ul><li><a href=a>A</a><li><a href=b>B</a><li><a href=c>C</a></ul>{PROGRAM}", False),
        (f"<h1>Valve</h1><img src='valve.svg'><div id=comments></div>{PROGRAM}", True),
        (
            f"<h1>Parts</h1><a href=a>A</a><a href=b>B</a><a href=c>C</a><ul class='list'> </ul>{PROGRAM}",
            True,
        ),
        (f"<h1>Parts</h1><img src='a.svg'><price-table></price-table>{PROGRAM}", True),
        (f"<a href='/'><img src='logo.svg'></a><h1>Parts</h1>{PROGRAM}", True),
        (f"<img src='spinner.gif'><img src='pixel.gif' width=1 height=1>{PROGRAM}", True),
        (f"<h1>Parts</h1>{MENU.replace('Chapter', '')[:300]}</nav>{PROGRAM}", True),
        (f"<h1>Valve</h1><img src='valve.svg'>{PROGRAM * 7}", True),
        # A list of links is content.
        ("".join(f'<li><a href="/{number}">{number}</a></li>' for number in range(30)) + PROGRAM, False),
    ],
)
def test_a_page_needs_its_scripts_where_its_text_is_thin_beside_them(body: str, needs: bool) -> None:
    assert needs_scripts(read_page(page(body))) is needs


@pytest.mark.parametrize(
    "hidden",
    [
        f"<style>{SENTENCE}</style>",
        f"<script>var text = '{SENTENCE}'</script>",
        f"<!-- {SENTENCE} -->",
        f"<template><p>{SENTENCE}</p></template>",
        f"<noscript>{SENTENCE}</noscript>",
        f"<svg><text>{SENTENCE}</text></svg>",
        f"<STYLE>{SENTENCE}</STYLE>",
        "<!-- never closed",
    ],
)
def test_what_nobody_reads_is_no_text(hidden: str) -> None:
    assert read_page(f"<p>Short.</p>{hidden}".encode()).characters == len("Short.")


def test_text_of_links_and_menus_is_counted_apart() -> None:
    reading = read_page(b'<nav>Menu <a href="/x">to x</a></nav><p>Text <a href="/y">to y</a> here</p>')
    assert (reading.characters, reading.link_characters, reading.links) == (8, 12, 2)


def test_reading_stops_at_text_enough() -> None:
    markup = page(f"<p>{SENTENCE * 30}</p>" + "<p>more</p>" * 1000)
    assert read_page(markup, enough_characters=ENOUGH_CHARACTERS).characters < read_page(markup).characters


@pytest.mark.parametrize(
    "unit",
    [
        b"<a<a<a",
        b"<!--",
        b"<script",
        b"<noscript>enable ",
        b"<div id=root>",
        b"javascript ",
        b"<a href=",
        b"</",
    ],
)
def test_broken_markup_is_read_in_linear_time(unit: bytes) -> None:
    """Quadratic time would take minutes here."""
    assert read_page(PROGRAM.encode() + unit * (2**22 // len(unit))).scripts >= 1


@pytest.mark.parametrize(
    ("static", "rendered", "gained"),
    [
        (PageReading(), PageReading(characters=100), True),
        (PageReading(), PageReading(links=1), True),
        (PageReading(characters=30), PageReading(characters=120), True),
        (PageReading(characters=100, links=2), PageReading(characters=100, links=12), True),
        (PageReading(), PageReading(), False),
        (PageReading(characters=500), PageReading(characters=510), False),
        (PageReading(characters=500, links=10), PageReading(characters=20), False),
    ],
)
def test_a_gain_is_more_text_or_more_links(static: PageReading, rendered: PageReading, gained: bool) -> None:
    assert has_gained(static, rendered) is gained
