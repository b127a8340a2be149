"""What a cell of a notebook has put out, as Markdown."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.escaping import fence
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.notebook.pictures import NotebookPictures
from ragcrawler.conversion.notebook.source import text_of

_MAX_CHARACTERS = 20_000
# Colours and cursor movements of a terminal.
_TERMINAL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
# Programs and their state: a reader of text has nothing of them.
_PROGRAMS = re.compile(r"javascript|widget|vnd\.(?:bokeh|holoviews|plotly|vega|vegalite)|geo\+json")
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
# A bar of progress, an object without a text of its own.
_NOTHING_SAID = re.compile(r"\s*<[\w.]+(?: object)? at 0x[0-9a-f]+>\s*|\s*<Figure size [^>]*>\s*|\s*")


@dataclass(slots=True)
class OutputWriter:
    """Writes outputs, and counts what was lost by kind.

    Attributes:
        url: of the notebook.
        limits: for the HTML in it.
        pictures: where pictures go.
        lost: what is not in the Markdown, by a phrase that names it.
    """

    url: str
    limits: ConversionLimits
    pictures: NotebookPictures
    lost: Counter[str] = field(default_factory=Counter)

    def write(self, outputs: object) -> list[str]:
        """The blocks for the outputs of one cell; streams that follow each other are one."""
        blocks: list[str] = []
        stream = ""
        for output in outputs if isinstance(outputs, list) else []:
            if not isinstance(output, Mapping):
                continue
            if output.get("output_type") == "stream":
                stream += text_of(output.get("text"))
                continue
            blocks += self._text(stream)
            stream = ""
            blocks += self._one(output)
        return blocks + self._text(stream)

    def _one(self, output: Mapping[str, object]) -> list[str]:
        if output.get("output_type") in ("error", "pyerr"):
            traceback = output.get("traceback")
            lines = [text_of(line) for line in traceback] if isinstance(traceback, list) else []
            said = "\n".join(lines) or f"{text_of(output.get('ename'))}: {text_of(output.get('evalue'))}"
            return self._text(said)
        bundle = output.get("data")
        return self._best(bundle if isinstance(bundle, Mapping) else _old_bundle(output))

    def _best(self, bundle: Mapping[str, object]) -> list[str]:
        """The alternative that says most: Markdown, a table, a formula, a picture, plain text, other HTML."""
        if markdown := text_of(bundle.get("text/markdown")).strip():
            return [self.pictures.place(markdown, {})]
        html = text_of(bundle.get("text/html"))
        table = self._html(html) if _TABLE.search(html) else []
        if table:
            return table
        if formula := text_of(bundle.get("text/latex")).strip():
            return [formula]
        if picture := self.pictures.show(bundle):
            return [picture]
        plain = text_of(bundle.get("text/plain"))
        said = [] if _NOTHING_SAID.fullmatch(plain) else self._text(plain)
        said = said or self._html(html)
        if not said or any(map(_PROGRAMS.search, bundle)):
            self._count(bundle)
        return said

    def _count(self, bundle: Mapping[str, object]) -> None:
        kinds = [kind for kind in bundle if kind not in ("text/plain", "text/html")]
        if kinds:
            self.lost[f"outputs of type {kinds[0][:60]}"] += 1

    def _html(self, html: str) -> list[str]:
        from ragcrawler.conversion.html import convert_html

        if not html.strip():
            return []
        try:
            return [convert_html(html, self.url, self.limits, is_whole=True).markdown.strip("\n")]
        except ConversionError as error:
            if error.reason == "too_large":  # of all outputs together
                raise
            return []

    def _text(self, text: str) -> list[str]:
        text = "\n".join(line.rpartition("\r")[2] for line in _TERMINAL.sub("", text).split("\n"))
        if not text.strip():
            return []
        if len(text) > _MAX_CHARACTERS:
            self.lost[f"ends of outputs of over {_MAX_CHARACTERS} characters"] += 1
            text = text[:_MAX_CHARACTERS]
        return [fence(text.strip("\n").rstrip(), "text")]


def _old_bundle(output: Mapping[str, object]) -> dict[str, object]:
    """Alternatives by media type, of a notebook of version 3, which names them by a word."""
    names = {
        "text": "text/plain",
        "html": "text/html",
        "latex": "text/latex",
        "png": "image/png",
        "jpeg": "image/jpeg",
        "svg": "image/svg+xml",
        "javascript": "application/javascript",
    }
    return {media_type: output[name] for name, media_type in names.items() if name in output}
