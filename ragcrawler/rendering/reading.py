"""Measure the text and the scripts of a page from its markup, in time linear in its length.

Every HTML page of a crawl is read here, in the process that crawls, so there is no tree: tags are taken one
after the other, a bounded number of them, and only until there is text enough. What a quoted attribute hides
from such a reading (`title="a > b"`) moves the count by a few characters, which decides nothing.
"""

import re
from dataclasses import dataclass

ENOUGH_CHARACTERS = 2_000
"""A page with so much text of its own needs no scripts, whatever else it has."""

_MAX_BYTES = 4 * 2**20
_MAX_TAGS = 20_000
_MAX_NOTICE_BYTES = 10_000

_TAG = re.compile(rb"<(?:(!--)|(/?+)([a-z][^\s/<>]*+)([^<>]*+)>?+)")
# Elements whose content is not shown, or is no text of the page.
_SKIPPED = {b"style", b"template", b"textarea", b"title", b"svg", b"select", b"iframe", b"object", b"xmp"}
# Text that most pages of a site share: a shell often has all of it.
_FURNITURE = {b"nav", b"footer", b"button", b"a"}
_ROOT_NAMES = (
    rb"root|app|__next|__nuxt|___gatsby|app-root|react-root|app-container|main-app|svelte|q-app|ember"
)
_ROOT = re.compile(
    rb"\bid\s*+=\s*+[\"']?(?:" + _ROOT_NAMES + rb")(?:[\"'\s]|$)|\b(?:data-reactroot|ng-app)\b"
)
# A part without content that a script can find: `<div id="list"></div>`, `<price-table></price-table>`.
_SLOT = re.compile(
    rb"\bid\s*+=|\bclass\s*+=\s*+[\"']?[^\"'>]{0,100}\b(?:app|root|main|content|results?|list)\b|\bdata-"
)
_SLOT_ELEMENTS = {b"div", b"main", b"section", b"article", b"ul", b"ol", b"table", b"tbody"}
_PICTURES = {b"img", b"object", b"embed"}
_NO_CONTENT = re.compile(
    rb"spinner|loading|loader|skeleton|\b(?:width|height)\s*+=\s*+[\"']?[01](?:px)?(?:[\"'\s/]|$)"
)
_ROOT_ELEMENTS = {b"app-root", b"my-app", b"ion-app"}
_NO_PROGRAM = re.compile(rb"\btype\s*+=\s*+[\"']?(?!module|text/javascript|application/javascript)[a-z]")
_SOURCE = re.compile(rb"\bsrc\s*+=")
_HREF = re.compile(rb"\bhref\s*+=")
_NOTICE = re.compile(
    rb"(?:enable|activate|turn o(?:n|ff)|require|need|aktivier|habilit|activ[ae]).{0,60}javascript"
    rb"|(?:javascript|\bjs\b).{0,60}(?:required|disabled|enabled?|necessary|needed|aktivier|activ|habilit"
    rb"|erforderlich|turned off)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class PageReading:
    """One page.

    Attributes:
        characters: bytes of text outside of navigation, footers, buttons and links; UTF-8 gives scripts that
            say more with a character more bytes.
        link_characters: bytes of the text inside of those.
        links: `a` elements with a target, and refreshes.
        scripts: programs, inline or by reference; data blocks such as JSON-LD are none.
        has_root: there is an element that applications are put into.
        has_empty_root: and nothing is in it.
        asks_for_scripts: the page tells its reader to switch scripts on.
        pictures: outside of links, navigation and footers; none of a pixel, no spinners.
        own_links: links outside of navigation and footers.
        has_slot: an element that a script could fill, empty as yet.
    """

    characters: int = 0
    link_characters: int = 0
    links: int = 0
    scripts: int = 0
    has_root: bool = False
    has_empty_root: bool = False
    asks_for_scripts: bool = False
    pictures: int = 0
    own_links: int = 0
    has_slot: bool = False


def read_page(markup: bytes, *, enough_characters: int = 0) -> PageReading:
    """Read a page in an encoding that ASCII is a part of.

    Args:
        markup: the page; what is behind its first 4 MiB or 20,000 tags is left out.
        enough_characters: stop at so much text; 0 reads on to the end.
    """
    reader = _Reader(markup[:_MAX_BYTES].lower())
    for _ in range(_MAX_TAGS):
        if not reader.step() or 0 < enough_characters <= reader.characters:
            break
    return reader.reading()


class _Reader:
    def __init__(self, markup: bytes) -> None:
        self.characters = 0
        self._markup = markup
        self._position = 0
        self._furniture: set[bytes] = set()
        self._link_characters = self._links = self._scripts = 0
        self._pictures = self._own_links = 0
        self._root = self._slot = b""
        self._has_slot = False
        self._has_root = self._has_empty_root = self._asks = False

    def reading(self) -> PageReading:
        return PageReading(
            characters=self.characters,
            link_characters=self._link_characters,
            links=self._links,
            scripts=self._scripts,
            has_root=self._has_root,
            has_empty_root=self._has_empty_root,
            asks_for_scripts=self._asks,
            pictures=self._pictures,
            own_links=self._own_links,
            has_slot=self._has_slot,
        )

    def step(self) -> bool:
        """Take the text up to the next tag, and the tag; False at the end."""
        tag = _TAG.search(self._markup, self._position)
        self._text(self._markup[self._position : tag.start() if tag else len(self._markup)])
        if tag is None:
            return False
        self._position = tag.end()
        comment, slash, name, attributes = tag.groups()
        if comment:
            self._position = self._find(b"-->") + len(b"-->")
        elif slash:
            self._close(name)
        else:
            self._open(name, attributes)
        return True

    def _text(self, text: bytes) -> None:
        length = len(text.strip())
        if not length:
            return
        self._root = self._slot = b""
        if self._furniture:
            self._link_characters += length
        else:
            self.characters += length
            self._asks = self._asks or _is_notice(text)

    def _open(self, name: bytes, attributes: bytes) -> None:
        self._root = self._slot = b""
        self._note_content(name, attributes)
        if name == b"script":
            content = self._content(name)
            if not _NO_PROGRAM.search(attributes) and (content.strip() or _SOURCE.search(attributes)):
                self._scripts += 1
        elif name == b"noscript":
            self._asks = _is_notice(self._content(name)) or self._asks
        elif name in _SKIPPED:
            self._content(name)
        elif name in _FURNITURE:
            self._furniture.add(name)
            self._links += name == b"a" and bool(_HREF.search(attributes))
        elif name == b"meta":
            self._links += b"refresh" in attributes and b"url" in attributes
        elif name in _ROOT_ELEMENTS or _ROOT.search(attributes):
            self._has_root = True
            self._root = name

    def _note_content(self, name: bytes, attributes: bytes) -> None:
        """Count pictures and links, and remember an element that may turn out to be empty."""
        if self._furniture:
            return
        if name in _PICTURES or name == b"svg":
            self._pictures += not _NO_CONTENT.search(attributes)
        elif name == b"a":
            self._own_links += bool(_HREF.search(attributes))
        elif b"-" in name or (name in _SLOT_ELEMENTS and _SLOT.search(attributes)):
            self._slot = name

    def _close(self, name: bytes) -> None:
        if name == self._root:
            self._has_empty_root = True
        if name == self._slot:
            self._has_slot = True
        self._root = self._slot = b""
        self._furniture.discard(name)

    def _content(self, name: bytes) -> bytes:
        """The text up to the end tag, which comes next."""
        start = self._position
        self._position = self._find(b"</" + name)
        return self._markup[start : self._position]

    def _find(self, what: bytes) -> int:
        found = self._markup.find(what, self._position)
        return len(self._markup) if found < 0 else found


def _is_notice(text: bytes) -> bool:
    return b"javascript" in text and bool(_NOTICE.search(text, 0, _MAX_NOTICE_BYTES))
