"""A response with the rendered document in place of what was sent."""

from html import escape

from scrapy.http import Response

from ragcrawler.middlewares.javascript.browser.static_page import Rendering

RENDERED = "javascript"
"""Flag of such a response."""

# The validators vouch for what was sent: an application changes its text without changing its shell.
_NOT_KEPT = ("ETag", "Last-Modified", "Content-Type", "Content-Length")


def rendered_response(response: Response, rendering: Rendering) -> Response:
    """Make it; where the page wanted to go stands in it as a refresh, which is followed as a link."""
    headers = response.headers.copy()
    for name in _NOT_KEPT:
        headers.pop(name, None)
    headers["Content-Type"] = "text/html; charset=utf-8"
    html = rendering.html
    if rendering.wanted_url:
        url = rendering.wanted_url.replace("'", "%27").replace('"', "%22")  # either ends the URL of a refresh
        html += f'\n<meta http-equiv="refresh" content="0; url={escape(url)}">'
    # A lone surrogate, which a script can make, is no character.
    body = html.encode("utf-8", "replace")
    return response.replace(headers=headers, body=body, encoding="utf-8", flags=[*response.flags, RENDERED])
