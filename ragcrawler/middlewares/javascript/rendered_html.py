"""The markup of a rendered page, as the crawl keeps it."""

from html import escape

from ragcrawler.middlewares.javascript.browser.static_page import Rendering

CONTENT_TYPE = "text/html; charset=utf-8"


def rendered_html(rendering: Rendering) -> bytes:
    """In UTF-8; where the page wanted to go stands in it as a refresh, which is followed as a link."""
    html = rendering.html
    if rendering.wanted_url:
        url = rendering.wanted_url.replace("'", "%27").replace('"', "%22")  # either ends the URL of a refresh
        html += f'\n<meta http-equiv="refresh" content="0; url={escape(url)}">'
    # A lone surrogate, which a script can make, is no character.
    return html.encode("utf-8", "replace")
