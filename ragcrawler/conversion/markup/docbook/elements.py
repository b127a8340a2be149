"""What the elements of DocBook are in HTML, see https://tdg.docbook.org."""

_SECTIONS = (
    "set book part reference article chapter appendix preface dedication colophon section sect1 sect2 "
    "sect3 sect4 sect5 simplesect refentry refsection refsect1 refsect2 refsect3 refsynopsisdiv "
    "glossary bibliography bibliodiv glossdiv qandadiv topic partintro acknowledgements"
)
SECTIONS = frozenset(_SECTIONS.split())
"""Elements that a heading begins."""

_CODE = (
    "literal code command option filename varname function parameter userinput computeroutput "
    "constant envar classname methodname type tag sgmltag markup prompt systemitem structname "
    "structfield symbol property interfacename exceptionname returnvalue token uri package database "
    "errorcode errorname initializer keysym"
)
INLINE = {
    **dict.fromkeys(_CODE.split(), "code"),
    **dict.fromkeys(
        ("emphasis", "citetitle", "firstterm", "replaceable", "foreignphrase", "wordasword"), "em"
    ),
    **dict.fromkeys(("guibutton", "guilabel", "guimenuitem", "guimenu", "guisubmenu", "keycap"), "strong"),
    "superscript": "sup",
    "subscript": "sub",
}
"""Elements in a line, and the element of HTML for each."""

BLOCKS = {
    **dict.fromkeys(("para", "simpara", "refpurpose", "attribution", "bridgehead", "bibliomixed"), "p"),
    **dict.fromkeys(("itemizedlist", "simplelist", "calloutlist", "bibliolist"), "ul"),
    **dict.fromkeys(("orderedlist", "procedure", "substeps"), "ol"),
    **dict.fromkeys(("blockquote", "epigraph"), "blockquote"),
    **dict.fromkeys(("variablelist", "glosslist"), "dl"),
    **dict.fromkeys(("listitem", "step", "member", "callout"), "li"),
    "term": "dt",
    "glossterm": "dt",
    "glossdef": "dd",
}
"""Elements that are one of HTML, with what is in them."""

CODE_BLOCKS = frozenset(
    {"programlisting", "screen", "literallayout", "synopsis", "programlistingco", "screenco"}
)
CODE_BLOCKS |= {"funcsynopsisinfo", "classsynopsisinfo"}
ADMONITIONS = frozenset({"note", "tip", "warning", "caution", "important", "danger"})
_SILENT = (
    "indexterm remark comment info bookinfo articleinfo chapterinfo sectioninfo refentryinfo "
    "refsectioninfo setinfo partinfo appendixinfo prefaceinfo sect1info sect2info sect3info "
    "refsect1info objectinfo blockinfo refmeta title titleabbrev subtitle toc lot index textobject "
    "alt caption refclass refdescriptor colspec spanspec primaryie areaspec xinclude include"
)
SILENT = frozenset(_SILENT.split())
"""Elements that are said elsewhere, or that no reader sees."""
