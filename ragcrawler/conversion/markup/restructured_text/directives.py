"""Directives that docutils does not know: those of Sphinx, and any other as far as its content goes.

docutils has one table of directives for the whole process; what is added here stays there.
"""

import re
from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.parsers.rst.directives.images import Figure, Image
from docutils.parsers.rst.directives.tables import ListTable, RSTTable
from docutils.parsers.rst.languages import en

_DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\.|\|[^|\n]+\|)[ \t]+([A-Za-z][\w+.:-]*?)[ \t]?::(?=\s|$)", re.MULTILINE
)
_MAX_NAMES = 2_000

_CODE = {
    "code",
    "code-block",
    "sourcecode",
    "ipython",
    "doctest",
    "testcode",
    "testoutput",
    "prompt",
    "parsed-code",
}
_CODE |= {
    "code-cell",
    "jupyter-execute",
    "highlight-code",
    "ipython3",
    "plot-code",
    "graphviz",
    "mermaid",
    "uml",
}
_NAMED = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
_TITLED_BOXES = {"seealso": "See also", "todo": "To do", "details": "Details", "dropdown": "", "collapse": ""}
_ELSEWHERE = {
    "include",
    "literalinclude",
    "automodule",
    "autoclass",
    "autofunction",
    "autosummary",
    "autodata",
}
_ELSEWHERE |= {"automethod", "autoattribute", "autoexception", "autodoc", "argparse", "click", "doxygenclass"}
_ELSEWHERE |= {"doxygenfunction", "doxygenstruct", "program-output", "command-output", "plot", "bibliography"}
_SILENT = {
    "index",
    "currentmodule",
    "highlight",
    "tabularcolumns",
    "sectionauthor",
    "codeauthor",
    "py:currentmodule",
}
_SILENT |= {
    "testsetup",
    "testcleanup",
    "module",
    "py:module",
    "meta",
    "title",
    "moduleauthor",
    "contents",
    "sectnum",
}
_DESCRIPTIONS = {
    "function",
    "class",
    "method",
    "attribute",
    "data",
    "exception",
    "staticmethod",
    "classmethod",
}
_DESCRIPTIONS |= {"property", "decorator", "option", "cmdoption", "envvar", "describe", "object", "confval"}
_DESCRIPTIONS |= {"opcode", "type", "macro", "member", "var", "enum", "enumerator", "struct", "setting"}
# Without an argument such as these, `class` sets a class of HTML, as docutils has it.
_SIGNATURE = re.compile(r"[A-Z(.]")
_LANGUAGES = {
    "ipython": "python",
    "ipython3": "python",
    "doctest": "python",
    "prompt": "bash",
    "testcode": "python",
}


class _AnyOption(dict[str, Callable[[str], Any]]):
    """Takes every option of every name as its text."""

    def __missing__(self, name: str) -> Callable[[str], Any]:
        unchanged: Callable[[str], Any] = directives.unchanged
        return unchanged

    def __bool__(self) -> bool:
        return True


class _Tolerant(Directive):  # type: ignore[misc]
    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = _AnyOption()

    def argument(self) -> str:
        return str(self.arguments[0]) if self.arguments else ""

    def children(self) -> list[Any]:
        """The content as nodes."""
        holder = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, holder)
        return list(holder.children)

    def line(self, text: str) -> list[Any]:
        """A text with its markup inside a line."""
        found, messages = self.state.inline_text(text, self.lineno)
        return [*found, *messages]


class Content(_Tolerant):
    """A directive of unknown meaning: its argument as a paragraph in bold, then its content."""

    def run(self) -> list[Any]:
        title = [nodes.paragraph("", "", nodes.strong("", "", *self.line(self.argument())))]
        return [*(title if self.argument() else []), *self.children()]


class Code(_Tolerant):
    """A block of code; its language is the argument."""

    def run(self) -> list[Any]:
        code = "\n".join(self.content)
        language = self.argument() or _LANGUAGES.get(self.name, "")
        caption = str(self.options.get("caption", ""))
        shown = [nodes.paragraph("", "", *self.line(caption))] if caption else []
        block = nodes.literal_block(code, code, classes=["code", *language.lower().split()[:1]])
        return [*shown, block] if code else shown


class Description(_Tolerant):
    """What Sphinx calls an object: its signatures as terms, its description as their definition."""

    def run(self) -> list[Any]:
        if self.name == "class" and not _SIGNATURE.search(self.argument()):
            return self.children()
        signatures = [line.strip().rstrip("\\") for line in self.argument().split("\n") if line.strip()]
        item = nodes.definition_list_item()
        item += [nodes.term("", "", nodes.literal(line, line)) for line in signatures]
        item += nodes.definition("", *(self.children() or [nodes.paragraph()]))
        return [nodes.definition_list("", item)]


class Version(_Tolerant):
    """`versionadded` and the like: a paragraph that begins with the version."""

    def run(self) -> list[Any]:
        version, rest = [*self.argument().split(maxsplit=1), "", ""][:2]
        said = nodes.emphasis("", f"{_NAMED[self.name]} {version}{':' if rest or self.content else ''}")
        return [nodes.paragraph("", "", said, nodes.Text(" "), *self.line(rest)), *self.children()]


class Box(_Tolerant):
    """An admonition with a title."""

    def run(self) -> list[Any]:
        title = _TITLED_BOXES[self.name] or self.argument()
        inside = [nodes.paragraph("", "", *self.line(self.argument()))] if _TITLED_BOXES[self.name] else []
        heading = [nodes.title("", "", *self.line(title))] if title else []
        return [nodes.admonition("", *heading, *inside, *self.children())]


class Toctree(_Tolerant):
    """A list of links to other files."""

    def run(self) -> list[Any]:
        caption = str(self.options.get("caption", ""))
        entries = [line.strip() for line in [*self.argument().split("\n"), *self.content] if line.strip()]
        items = [self._item(entry) for entry in entries if entry != "self" and "*" not in entry]
        shown = [nodes.paragraph("", "", nodes.strong("", caption))] if caption else []
        return [*shown, nodes.bullet_list("", *items)] if items else shown

    def _item(self, entry: str) -> Any:
        title, _, target = entry.rstrip(">").rpartition("<")
        is_file = "://" not in target and not target.endswith((".rst", ".md", ".txt", ".html"))
        address = f"{target}.rst" if is_file else target
        link = nodes.reference("", title.strip() or target, refuri=address.removeprefix("/"))
        return nodes.list_item("", nodes.paragraph("", "", link))


class Elsewhere(_Tolerant):
    """What another file or a program holds: it is not read, and a warning counts it."""

    def run(self) -> list[Any]:
        lost = nodes.comment("", "", classes=["elsewhere"])
        if not self.name.startswith("auto"):
            return [lost]
        name = self.argument().strip()
        named = [nodes.paragraph("", "", nodes.literal(name, name))] if name else []
        return [lost, *named, *self.children()]


class Silent(_Tolerant):
    """What no reader sees."""

    def run(self) -> list[Any]:
        return []


class _Picture(Image):  # type: ignore[misc]
    option_spec: ClassVar[dict[str, Any]] = _AnyOption(Image.option_spec)


class _Figure(Figure):  # type: ignore[misc]
    option_spec: ClassVar[dict[str, Any]] = _AnyOption(Figure.option_spec)


class _ListTable(ListTable):  # type: ignore[misc]
    option_spec: ClassVar[dict[str, Any]] = _AnyOption(ListTable.option_spec)


class _Table(RSTTable):  # type: ignore[misc]
    option_spec: ClassVar[dict[str, Any]] = _AnyOption(RSTTable.option_spec)


_KNOWN: dict[str, type[Directive]] = {
    **dict.fromkeys(_DESCRIPTIONS, Description),
    **dict.fromkeys(_CODE, Code),
    **dict.fromkeys(_NAMED, Version),
    **dict.fromkeys(_TITLED_BOXES, Box),
    **dict.fromkeys(_ELSEWHERE, Elsewhere),
    **dict.fromkeys(_SILENT, Silent),
    "toctree": Toctree,
    "image": _Picture,
    "figure": _Figure,
    "list-table": _ListTable,
    "table": _Table,
}
_registered: set[str] = set()


def register_directives(text: str) -> None:
    """Make docutils know the directives of Sphinx, and every other one that the text names.

    Beyond 2,000 names over all texts, the content of what is unknown stays a literal block.
    """
    if not _registered:
        for name, directive in _KNOWN.items():
            directives.register_directive(name, directive)
        _registered.update(_KNOWN)
    for name in {found.lower() for found in _DIRECTIVE.findall(text)} - _registered - set(en.directives):
        if len(_registered) < _MAX_NAMES:
            directives.register_directive(name, _unknown(name))
            _registered.add(name)


def _unknown(name: str) -> type[Directive]:
    """How a directive is read that no table has: `py:function` as `function`, say."""
    domain, colon, kind = name.rpartition(":")
    if colon and domain in ("py", "c", "cpp", "js", "rst", "std", "php", "rb", "go", "http", "setting"):
        return _KNOWN.get(kind, Description)
    return Elsewhere if name.startswith("doxygen") else Content
