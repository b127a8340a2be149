"""Keys of a request's `meta` that components of different rooms know."""

# What the frontier asked for.
TARGET = "target"

# A sitemap, feed or llms.txt: no page, and outside of a path prefix like robots.txt.
LISTING = "listing"

# Flag of a response that a browser rendered.
RENDERED = "javascript"

# Flag of one that was meant for a browser and is as it was sent.
NOT_RENDERED = "javascript_not_rendered"

# Asked for by the scripts of the page with this URL: it may be anywhere, as for a reader's browser.
PAGE_RESOURCE = "page_resource"

# When its response came, by the monotonic clock of this process.
RECEIVED = "received"
