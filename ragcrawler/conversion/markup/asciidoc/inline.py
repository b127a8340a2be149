"""AsciiDoc in a line as HTML."""

import re
from collections.abc import Callable
from html import escape

from ragcrawler.conversion.work import Work

_MAX_TITLE_CHARACTERS = 200
_KEPT = re.compile(
    r"\\(?P<escaped>[*_`#+^~{\[<])"
    r"|(?P<pass>\+\+\+(?P<pass3>.+?)\+\+\+|pass:\w{0,10}\[(?P<pass1>[^\]]{0,1000}+)\])"
    r"|(?P<math>(?:stem|latexmath|asciimath):\[(?P<formula>(?:[^\]\\]|\\.){0,1000}+)\])"
    r"|(?P<code>``(?P<code2>.+?)``|(?<![\w`])`(?P<code1>[^`\s](?:[^`]*[^`\s])?)`(?![\w`]))"
    r"|(?P<mono>(?<![\w+])\+(?P<mono1>[^+\s](?:[^+]*[^+\s])?)\+(?![\w+]))"
    r"|(?P<note>footnote(?:ref)?:[\w-]{0,100}\[(?P<notetext>(?:[^\]\\]|\\.){0,1000}+)\])"
    r"|(?P<image>image:(?!:)(?P<source>[^\s\[]{1,500})\[(?P<alt>[^\]]{0,1000}+)\])"
    r"|(?P<key>(?:kbd|btn):\[(?P<keys>(?:\\\]|[^\]])+)\])|(?P<menu>menu:(?P<menu1>[^\[]{1,80})\[(?P<menu2>[^\]]{0,200}+)\])"
    r"|(?P<xref><<(?P<target>[^,>]{1,300})(?:,\s*(?P<label>[^>]{0,1000}+))?>>|xref:(?P<target2>[^\[\s]{1,300})\[(?P<label2>[^\]]{0,1000}+)\])"
    r"|(?P<link>(?:link:(?P<path>[^\[\s]{1,1000})|(?<![\w/:])(?P<address>(?:https?|ftp|irc|mailto):[^\s\[\]<>\"]{1,1000}))"
    r"\[(?P<text>(?:[^\]\\]|\\.){0,1000}+)\])"
    r"|(?P<bare>(?<![\w/:])<?(?P<bareaddress>https?://[^\s\[\]<>\"|]{1,1000}[^\s\[\]<>\"|.,;:!?)])>?)"
    r"|(?P<anchor>\[\[[\w:.-]{1,200}(?:,[^\]]*)?\]\]|\[#[\w-]{1,200}\](?=#)|\(\(\([^)]*\)\)\)|indexterm:\[[^\]]*\])"
)
_PAIRS = (
    (re.compile(r"\*\*(.+?)\*\*"), "strong"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]*[^*\s])\*(?![\w*])"), "strong"),
    (re.compile(r"__(.+?)__"), "em"),
    (re.compile(r"(?<![\w_])_(?=\S)([^_]*[^_\s])_(?![\w_])"), "em"),
    (re.compile(r"##(.+?)##"), "span"),
    (re.compile(r"(?:\[[^\]\s]{0,80}\])?(?<![\w#&])#(?=\S)([^#]*[^#\s;])#(?![\w#])"), "span"),
    (re.compile(r"\^([^\s^]{1,80})\^"), "sup"),
    (re.compile(r"(?<!~)~([^\s~]{1,80})~(?!~)"), "sub"),
)
_SIGNS = {
    "(C)": "\u00a9",
    "(R)": "\u00ae",
    "(TM)": "\u2122",
    "...": "\u2026",
    "-&gt;": "\u2192",
    "=&gt;": "\u21d2",
}
_MARK, _MARK_END = "\ufdd0", "\ufdd1"
_MARKED = re.compile(f"{_MARK}(\\d+){_MARK_END}")
_QUOTED = re.compile(r"(\"|')`([^`]+)`\1")
_QUOTES = {'"': ("\u201c", "\u201d"), "'": ("\u2018", "\u2019")}
_LABELS = re.compile(r",\s*(?:role|window|opts|id|title|width|height|align)=.*$")


class InlineWriter:
    """Writes text of lines; remembers the footnotes.

    Attributes:
        notes: HTML of the footnotes.
        titles: of sections by their ids, for references to them.
    """

    def __init__(self, substitute: Callable[[str], str], work: Work) -> None:
        self.notes: list[str] = []
        self.titles: dict[str, str] = {}
        self._substitute = substitute
        self._work = work
        self._is_in_title = False

    def html(self, text: str) -> str:
        """A text of the document as HTML."""
        return self._html(self._substitute(text))

    def _html(self, text: str) -> str:
        """The same for a part of one, whose attributes are replaced: they may hold their own names."""
        kept: list[str] = []

        def keep(html: str) -> str:
            kept.append(html)
            return f"{_MARK}{len(kept) - 1}{_MARK_END}"

        text = text.replace(_MARK, "").replace(_MARK_END, "")
        text = _QUOTED.sub(lambda found: found[2].join(_QUOTES[found[1]]), text)
        text = escape(_KEPT.sub(lambda found: keep(self._kept(found)), text), quote=False)
        for pattern, tag in _PAIRS:
            text = pattern.sub(rf"<{tag}>\1</{tag}>", text)
        for sign, shown in _SIGNS.items():
            text = text.replace(sign, shown)
        text = text.replace("--", "\u2014") if re.search(r"\w--\w| -- ", text) else text
        return _MARKED.sub(lambda found: kept[int(found[1])], text)

    def _kept(self, found: re.Match[str]) -> str:
        """HTML of what no mark of emphasis is looked for in."""
        self._work.elements(1)
        kind = found.lastgroup or ""
        name = next((name for name in _WRITERS if found[name] is not None), kind)
        return _WRITERS[name](self, found)

    def _link(self, found: re.Match[str]) -> str:
        target = self._substitute(found["path"] or found["address"])
        shown = _LABELS.sub("", found["text"].replace("\\]", "]")).strip().rstrip("^").strip('"')
        shown = self._html(shown) if shown else escape(target.removeprefix("mailto:"))
        return f'<a href="{escape(target)}">{shown}</a>'

    def _reference(self, found: re.Match[str]) -> str:
        target = (found["target"] or found["target2"] or "").strip()
        label = found["label"] or found["label2"] or ""
        shown = self._html(label) if label else self._title(target.lstrip("#")) or escape(target)
        path, _, fragment = target.partition("#")
        is_file = path.endswith((".adoc", ".asciidoc", ".html")) or "/" in path
        address = target if is_file else f"#{fragment or path}"
        return f'<a href="{escape(address)}">{shown}</a>'

    def _title(self, name: str) -> str:
        """The title of a section; in it, references show names alone, for they may lead back to it."""
        title = "" if self._is_in_title else self.titles.get(name, "")[:_MAX_TITLE_CHARACTERS]
        self._is_in_title = True
        try:
            return self.html(title)
        finally:
            self._is_in_title = False

    def _note(self, found: re.Match[str]) -> str:
        text = found["notetext"].replace("\\]", "]")
        if not text:
            return ""
        note = self._html(text)
        self.notes.append(note)
        number = len(self.notes)
        return f'<a role="doc-noteref" href="#asciidoc-note-{number}">{number}</a>'

    def picture(self, source: str, attributes: str) -> str:
        """A picture; the first attribute describes it."""
        described = attributes.partition(",")[0].strip().strip('"')
        described = "" if "=" in described else described
        folder = self._substitute("{imagesdir}")
        source = self._substitute(source)
        if not folder.startswith("{") and folder and "://" not in source:
            source = f"{folder.rstrip('/')}/{source}"
        return f'<img src="{escape(source)}" alt="{escape(described)}">'


def _code(text: str) -> str:
    return f"<code>{escape(text.removeprefix('+').removesuffix('+'), quote=False)}</code>"


_WRITERS: dict[str, Callable[[InlineWriter, re.Match[str]], str]] = {
    "escaped": lambda _, found: escape(found["escaped"], quote=False),
    "pass": lambda _, found: escape(found["pass3"] or found["pass1"] or "", quote=False),
    "math": lambda _, found: f'<span class="math notranslate">\\({escape(found["formula"])}\\)</span>',
    "code": lambda _, found: _code(found["code2"] or found["code1"]),
    "mono": lambda _, found: escape(found["mono1"], quote=False),
    "note": InlineWriter._note,
    "image": lambda writer, found: writer.picture(found["source"], found["alt"]),
    "key": lambda _, found: f"<strong>{escape(found['keys'])}</strong>",
    "menu": lambda _, found: escape(" > ".join(filter(None, (found["menu1"], found["menu2"])))),
    "xref": InlineWriter._reference,
    "link": InlineWriter._link,
    "bare": lambda _, found: f'<a href="{escape(found["bareaddress"])}">{escape(found["bareaddress"])}</a>',
    "anchor": lambda _, __: "",
}
