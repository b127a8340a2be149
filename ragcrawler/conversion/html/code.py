"""Code blocks: every line break kept, the language from the highlighter's classes."""

import re

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:highlight-source-|highlight-|language-|lang-|brush:\s*|sourceCode\s+|src-|highlight\s+)"
    r"([A-Za-z][\w+#.-]*)"
)
_NO_LANGUAGE = frozenset(
    ("default", "none", "text", "plain", "plaintext", "notranslate", "highlight", "literal")
)
_FENCE = re.compile(r"^ *(`{3,})", re.MULTILINE)


def render_code(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """A fenced block."""
    renderer.pending_ids.clear()
    for line_break in element.iter("br"):
        line_break.text = "\n"
    text = element.text_content().replace("\r\n", "\n").strip("\n")
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    if not text.strip():
        return []
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language_of(element)}\n{text}\n{fence}"]


def language_of(element: html.HtmlElement) -> str:
    """The language that the classes of a block, its code or its wrappers name, else ""."""
    candidates = [element, *element.findall("code")]
    for ancestor in element.iterancestors():
        candidates.append(ancestor)
        if len(candidates) > 4:
            break
    for candidate in candidates:
        found = _LANGUAGE.search(candidate.get("class", ""))
        language = candidate.get("data-lang") or candidate.get("data-language") or (found and found.group(1))
        if language and language not in _NO_LANGUAGE:
            return language
    return ""
