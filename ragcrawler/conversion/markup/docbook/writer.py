"""DocBook elements as HTML."""

from collections.abc import Callable
from html import escape
from typing import Any

from ragcrawler.conversion.markup.docbook.elements import (
    ADMONITIONS,
    BLOCKS,
    CODE_BLOCKS,
    INLINE,
    SECTIONS,
    SILENT,
)
from ragcrawler.conversion.markup.docbook.tables import table_html

_DEEPEST = 6
_MAX_TITLE_CHARACTERS = 200
_XLINK = "{http://www.w3.org/1999/xlink}href"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_PICTURES = ("mediaobject", "inlinemediaobject", "screenshot", "graphic", "inlinegraphic")
_BOXES = (
    "figure",
    "example",
    "formalpara",
    "sidebar",
    "equation",
    "informalexample",
    "abstract",
    "task",
    "cmdsynopsis",
)


class DocBookWriter:
    """Writes a tree; remembers the footnotes for the end of the page."""

    def __init__(self, root: Any) -> None:
        self._by_id = {identifier_of(element): element for element in root.iter() if identifier_of(element)}
        self._notes: list[str] = []
        self._note_numbers: dict[str, int] = {}
        self._level = 0
        self._handlers: dict[str, Callable[[Any], str]] = {
            **dict.fromkeys(SECTIONS, self._section),
            **dict.fromkeys(CODE_BLOCKS, self._code),
            **dict.fromkeys(ADMONITIONS, self._admonition),
            **dict.fromkeys(SILENT, lambda _: ""),
            **dict.fromkeys(_BOXES, self._box),
            **dict.fromkeys(("table", "informaltable"), lambda each: table_html(each, self.inside)),
            **dict.fromkeys(("ulink", "link"), self._link),
            **dict.fromkeys(_PICTURES, self._picture),
            **dict.fromkeys(("inlineequation", "informalequation"), self._formula),
            **dict.fromkeys(("varlistentry", "glossentry"), self._entry),
            **dict.fromkeys(("refname", "question"), lambda each: f"<p><b>{self.inside(each)}</b></p>"),
            "refnamediv": self._names,
            "xref": self._reference,
            "email": self._email,
            "quote": lambda each: f"\u201c{self.inside(each)}\u201d",
            "footnote": self._footnote,
            "footnoteref": lambda each: self._note_mark(self._note_numbers.get(each.get("linkend", ""), 0)),
            "citerefentry": self._manual_page,
            "menuchoice": lambda each: " &gt; ".join(self.element(child) for child in each),
            "keycombo": lambda each: "+".join(self.element(child) for child in each),
            "arg": self._argument,
            "group": self._group,
            "sbr": lambda _: "<br>",
        }  # fmt: skip

    def page(self, root: Any) -> str:
        """The body."""
        body = self.element(root)
        notes = "".join(self._notes)
        return f"{body}<ol>{notes}</ol>" if notes else body

    def element(self, element: Any) -> str:
        """One element, without what follows it."""
        tag = element.tag
        if not isinstance(tag, str):
            return ""
        if tag in self._handlers:
            return self._handlers[tag](element)
        if tag in BLOCKS:
            name = BLOCKS[tag]
            titled = self._title(element) if name in ("ul", "ol", "dl") else ""

            return f"{titled}<{name}>{self.inside(element)}</{name}>"
        if tag == "emphasis" and element.get("role", "") in ("bold", "strong"):
            return f"<strong>{self.inside(element)}</strong>"
        if tag in INLINE:
            return f"<{INLINE[tag]}>{self.inside(element)}</{INLINE[tag]}>"
        return self.inside(element)

    def inside(self, element: Any) -> str:
        """The text and the elements in an element."""
        pieces = [escape(element.text or "")]
        for child in element:
            pieces += [self.element(child), escape(child.tail or "")]
        return "".join(pieces)

    def _section(self, element: Any) -> str:
        title = title_of(element)
        if title is None and element.tag == "refentry":
            title = element.find("refmeta/refentrytitle")
        name = identifier_of(element)
        anchor = f' id="{escape(name)}"' if name else ""
        level = min(self._level + 1, _DEEPEST)
        heading = f"<h{level}{anchor}>{self.inside(title)}</h{level}>" if title is not None else ""
        heading = heading or ("<h2>Synopsis</h2>" if element.tag == "refsynopsisdiv" else "")
        self._level += bool(heading)
        abstract = element.find("info/abstract")
        body = (self.inside(abstract) if abstract is not None else "") + self.inside(element)
        self._level -= bool(heading)
        return f"{heading}<div>{body}</div>"

    def _title(self, element: Any) -> str:
        title = title_of(element)
        return f"<p><b>{self.inside(title)}</b></p>" if title is not None else ""

    def _box(self, element: Any) -> str:
        caption = element.find("caption")
        said = f"<p>{self.inside(caption)}</p>" if caption is not None else ""
        tag = "p" if element.tag == "cmdsynopsis" else "div"
        return f"{self._title(element)}<{tag}>{self.inside(element)}</{tag}>{said}"

    def _code(self, element: Any) -> str:
        if element.tag.endswith("co"):
            return self.inside(element)
        language = element.get("language", "").split(" ")[0]
        code = escape("".join(element.itertext()).strip("\n"))
        return (
            f'<pre><code class="language-{escape(language)}">{code}</code></pre>'
            if language
            else f"<pre>{code}</pre>"
        )

    def _admonition(self, element: Any) -> str:
        title = title_of(element)
        shown = self.inside(title) if title is not None else element.tag.capitalize()
        heading = f'<p class="admonition-title">{shown}</p>'
        return f'<div class="admonition {element.tag}">{heading}{self.inside(element)}</div>'

    def _entry(self, element: Any) -> str:
        items = "".join(
            f"<dd>{self.inside(each)}</dd>" for each in element if each.tag in ("listitem", "glossdef")
        )
        terms = "".join(
            f"<dt>{self.inside(each)}</dt>" for each in element if each.tag in ("term", "glossterm")
        )
        return terms + items

    def _names(self, element: Any) -> str:
        names = ", ".join(f"<b>{self.inside(each)}</b>" for each in element if each.tag == "refname")
        purpose = element.find("refpurpose")
        return f"<h2>Name</h2><p>{names} \u2013 {self.inside(purpose) if purpose is not None else ''}</p>"

    def _link(self, element: Any) -> str:
        target = element.get("url") or element.get(_XLINK) or ""
        target = target or (f"#{element.get('linkend')}" if element.get("linkend") else "")
        shown = self.inside(element) or escape(target)
        return f'<a href="{escape(target)}">{shown}</a>' if target else shown

    def _email(self, element: Any) -> str:
        address = escape("".join(element.itertext()))
        return f'<a href="mailto:{address}">{address}</a>'

    def _reference(self, element: Any) -> str:
        target = element.get("linkend", "")
        place = self._by_id.get(target)
        title = title_of(place) if place is not None else None
        shown = "".join(title.itertext())[:_MAX_TITLE_CHARACTERS] if title is not None else target
        return f'<a href="#{escape(target)}">{escape(shown)}</a>'

    def _picture(self, element: Any) -> str:
        image = next((each for each in element.iter("imagedata", "graphic", "inlinegraphic")), None)
        text = next((each for each in element.iter("phrase", "alt")), None)
        caption = element.find("caption")
        described = " ".join("".join(text.itertext()).split()) if text is not None else ""
        said = f"<p>{self.inside(caption)}</p>" if caption is not None else ""
        source = image.get("fileref", "") if image is not None else ""
        return (
            f'<img src="{escape(source)}" alt="{escape(described)}">' if source else escape(described)
        ) + said

    def _formula(self, element: Any) -> str:
        source = element.find("alt")
        if source is not None:
            return f'<span class="math notranslate">\\({escape("".join(source.itertext()))}\\)</span>'
        return self.inside(element)

    def _footnote(self, element: Any) -> str:
        number = len(self._notes) + 1
        self._notes.append("")
        self._note_numbers[identifier_of(element)] = number
        self._notes[number - 1] = f'<li id="docbook-note-{number}">{self.inside(element)}</li>'
        return self._note_mark(number)

    def _note_mark(self, number: int) -> str:
        return f'<a role="doc-noteref" href="#docbook-note-{number}">{number}</a>' if number else ""

    def _manual_page(self, element: Any) -> str:
        volume = element.findtext("manvolnum") or ""
        return escape((element.findtext("refentrytitle") or "") + (f"({volume})" if volume else ""))

    def _argument(self, element: Any) -> str:
        more = "..." if element.get("rep") == "repeat" else ""
        shown = self.inside(element) + more
        return f" {shown}" if element.get("choice") in ("plain", "req") else f" [{shown}]"

    def _group(self, element: Any) -> str:
        choices = " | ".join(self.inside(each) for each in element)
        more = "..." if element.get("rep") == "repeat" else ""
        return f" {{{choices}}}{more}" if element.get("choice") in ("plain", "req") else f" [{choices}]{more}"


def identifier_of(element: Any) -> str:
    """The id that others name an element by."""
    return str(element.get("id") or element.get(_ID) or "") if isinstance(element.tag, str) else ""


def title_of(element: Any) -> Any:
    """The title element of a section or table, its own or in its information; None where it has none."""
    for child in element:
        if child.tag == "title":
            return child
        if isinstance(child.tag, str) and child.tag.endswith("info") and child.find("title") is not None:
            return child.find("title")
    return None
