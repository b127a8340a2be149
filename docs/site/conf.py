"""The docs as a site, of the Markdown files as they are: docs/site/build.sh."""

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

project = "ragcrawler"
html_title = "ragcrawler"
language = "en"

extensions = ["myst_parser"]
# Links lead out of docs/, as they do where the sources are shown: so the source is the whole checkout.
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "tor-proxy/README.md"]
exclude_patterns = [".*", "benchmarks", "deploy", "dist", "output", "ragcrawler", "tests"]
root_doc = "README"

# A link to a page or a heading that is gone is an error, and so is a page that the navigation leaves out.
nitpicky = True
myst_heading_anchors = 4
smartquotes = False

html_theme = "furo"
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_show_copyright = False

NAVIGATION = {
    "Begin": ["docs/what_you_can_do", "docs/tutorial", "docs/comparison"],
    "How to": [
        "docs/crawling",
        "docs/discover",
        "docs/sources",
        "docs/search",
        "docs/ask",
        "docs/research",
        "docs/summaries",
        "docs/serve",
        "docs/python",
        "docs/deploy",
        "docs/scale",
        "docs/remove",
        "docs/security",
        "docs/doctor",
        "docs/reports",
        "tor-proxy/README",
    ],
    "Reference": [
        "docs/settings",
        "docs/feeds",
        "docs/conversion",
        "docs/pdf",
        "docs/chunking",
        "docs/embedding",
        "docs/stores",
        "docs/index",
        "docs/retrieval",
        "docs/specifications",
        "CHANGELOG",
    ],
    "Inside": ["docs/architecture", "CONTRIBUTING"],
}


def add_navigation(_app: Sphinx, page: str, source: list[str]) -> None:
    """The README is the first page; where it is read elsewhere, nobody needs Sphinx's tree in it."""
    if page == root_doc:
        for caption, pages in NAVIGATION.items():
            listed = "\n".join(f"/{each}" for each in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    # Diagrams are shown as they are written: a script that draws them would come from a foreign server.
    app.add_lexer("mermaid", TextLexer)
    app.connect("source-read", add_navigation)
