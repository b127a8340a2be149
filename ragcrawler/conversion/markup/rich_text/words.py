"""Words of Rich Text Format, and what they mean here."""

import re

_SKIPPED_WORDS = (
    "colortbl header headerl headerr headerf footer footerl footerr footerf filetbl revtbl rsidtbl "
    "listtable listoverridetable generator operator company manager category keywords comment doccomm "
    "subject nonshppict xmlnstbl themedata colorschememapping datastore latentstyles pgdsctbl private "
    "objdata ftnsep ftnsepc aftnsep aftnsepc creatim revtim printim buptim bkmkstart bkmkend sp "
    "template pntxta pntxtb annotation atnid atnauthor"
)
SKIPPED = frozenset(_SKIPPED_WORDS.split())
DESTINATIONS = SKIPPED | {"fonttbl", "stylesheet", "title", "author", "pict", "fldinst"}
DESTINATIONS |= {"listtext", "pntext", "footnote", "info", "field", "fldrslt", "shppict", "upr", "ud"}
READ_THOUGH_OPTIONAL = {"shppict", "ud", "fldinst", "shptxt"}
SIGNS = {
    "tab": "\t", "line": "\n", "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018",
    "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": " ",
    "enspace": " ",
}  # fmt: skip
SYMBOLS = {"~": "\u00a0", "_": "-", "\\": "\\", "{": "{", "}": "}"}
CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
FIXED_WIDTH = re.compile(r"courier|consol|mono|menlo|terminal|fixed", re.IGNORECASE)
HEADING = re.compile(r"(?:heading|\u00fcberschrift|titre|t\u00edtulo)\s*(\d)", re.IGNORECASE)
HYPERLINK = re.compile(r"HYPERLINK\s+(?:\\l\s+)?\"([^\"]{1,2000})\"")
PICTURES = {"pngblip": ("png", "image/png"), "jpegblip": ("jpg", "image/jpeg")}
