"""Code blocks: every line break kept, the language from the highlighter's classes."""

import re

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer

_NAMED = re.compile(
    r"(?:^|\s)(?:highlight-source-|highlight-text-|highlight-|language-|lang-|brush:\s*|src-)([A-Za-z][\w+#.-]*)"
)
_HIGHLIGHTERS = frozenset(
    ("hljs", "prettyprint", "highlight", "sourcecode", "code", "rouge", "shiki", "prism", "chroma")
)
_LANGUAGES = """
bash c c# c++ clojure cmake console cpp csharp css dart diff docker dockerfile elixir erlang fortran
go graphql groovy haskell hcl html http ini java javascript js json jsx julia kotlin latex less lisp
lua makefile markdown matlab nginx nix objectivec ocaml perl php powershell protobuf py pycon python
python3 r rb ruby rust scala scss sh shell sql swift terraform toml ts tsx typescript vb vim xml
yaml yml zig zsh
"""
_KNOWN = frozenset(_LANGUAGES.split())
_NO_LANGUAGE = frozenset(("default", "none", "text", "plain", "plaintext", "txt"))
_FENCE = re.compile(r"^ *(`{3,})", re.MULTILINE)
_WRAPPERS = 3
_LONGEST_LANGUAGE = 40


def render_code(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """A fenced block, its fence longer than any in the code."""
    renderer.enter(element)
    text = element.text_content().replace("\r\n", "\n").strip("\n")
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    if not text.strip():
        return []
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language_of(element)}{renderer.place()}\n{text}\n{fence}"]


def language_of(element: html.HtmlElement) -> str:
    """The language that the classes of a block, its code or its nearest wrappers name, else ""."""
    wrappers = [outer for _, outer in zip(range(_WRAPPERS), element.iterancestors(), strict=False)]
    for candidate in (*element.iter("code"), element, *wrappers):
        declared = candidate.get("data-lang") or candidate.get("data-language")
        language = declared or _language_in(candidate.get("class", ""))
        if language and len(language) <= _LONGEST_LANGUAGE:
            return "" if language.lower() in _NO_LANGUAGE else str(language.lower())
    return ""


def _language_in(classes: str) -> str:
    """A class that says it is a language, or a known language beside the name of a highlighter."""
    named = _NAMED.search(classes)
    if named:
        return named.group(1)
    words = classes.lower().split()
    if not _HIGHLIGHTERS.intersection(words):
        return ""
    return next((word for word in words if word in _KNOWN), "")
