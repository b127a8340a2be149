"""Code blocks: every line break kept, the language from the highlighter's classes."""

import re

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:highlight-source-|highlight-text-|highlight-|language-|lang-|brush:\s*|sourceCode\s+|src-|"
    r"(?:hljs|prettyprint|highlight|code|rouge|shiki|prism)\s+(?=[a-z+#]+(?:\s|;|$)))"
    r"([A-Za-z][\w+#.-]*)"
)
_NOT_LANGUAGES = """
default none text plain plaintext txt notranslate highlight literal language-none code block wrap box
chroma copy hljs prettyprint linenums rouge
"""
_NO_LANGUAGE = frozenset(_NOT_LANGUAGES.split())
_FENCE = re.compile(r"^ *(`{3,})", re.MULTILINE)
_WRAPPERS = 3


def render_code(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """A fenced block, its fence longer than any in the code."""
    renderer.pending_ids.clear()
    text = element.text_content().replace("\r\n", "\n").strip("\n")
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    if not text.strip():
        return []
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language_of(element)}\n{text}\n{fence}"]


def language_of(element: html.HtmlElement) -> str:
    """The language that the classes of a block, its code or its nearest wrappers name, else ""."""
    wrappers = [outer for _, outer in zip(range(_WRAPPERS), element.iterancestors(), strict=False)]
    for candidate in (*element.iter("code"), element, *wrappers):
        language = candidate.get("data-lang") or candidate.get("data-language") or ""
        for found in [language] if language else _LANGUAGE.findall(candidate.get("class", "")):
            if found.lower() not in _NO_LANGUAGE:
                return str(found).lower()
    return ""
