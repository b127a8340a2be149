"""Parts of a page that its author marks as no content: landmarks, and what classes and ids name so."""

import re
from typing import NamedTuple

from lxml import html

from ragcrawler.conversion.html.selection.block_scores import Words
from ragcrawler.conversion.html.tags import HEADINGS

_TAGS = frozenset(("nav", "footer", "aside", "dialog", "menu"))
_ROLES = frozenset(
    (
        "navigation",
        "contentinfo",
        "search",
        "dialog",
        "alertdialog",
        "complementary",
        "menu",
        "menubar",
        "banner",
    )
)
_NAMES = re.compile(
    r"(?<![^\s_-])(?:share|sharing|social|promo|ads|advert\w*|cookies?|cookie-?\w*|consent|gdpr|banner|pop-?up|"
    r"modal|subscribe|newsletter|login|sign-?(?:in|up)|search(?![\s_-]*(?:results?|hits|grid|list))|off-?canvas|drawer|mini-?cart|cart|outbrain|taboola)"
    r"(?![^\s_-])",
    re.IGNORECASE,
)
_SIGN_UPS = re.compile(r"(?<![^\s_-])(?:newsletter|subscribe|sign-?up)(?![^\s_-])", re.IGNORECASE)
_NAMES_OF_LINK_LISTS = re.compile(
    r"(?<![^\s_-])(?:(?:doc)?nav(?:bar|igation|list|menu|links?|box|header|footer)?|menus?|menubar|mega-?menu|side-?bars?|"
    r"related|recommend(?:ed|ations?)?|breadcrumbs?|pagination|pager|toolbar|flyout|masthead)(?![^\s_-])"
    r"|(?<!\S)(?:(?:site|page|global|main)-?)?footer(?![^\s_-])",
    re.IGNORECASE,
)
_CONTENT_ASIDES = re.compile(r"quote|footnote|admonition|note|callout|warning|tip|example", re.IGNORECASE)
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_ID_WORDS = 2
_MAX_PAGE_SHARE = 0.3
_TRUSTED_VOTE_SHARE = 0.6
_LINK_LIST_SHARE = 0.25


def is_landmark(element: html.HtmlElement) -> bool:
    """Whether tag or role say that an element is navigation, a footer, a dialog or beside the point."""
    tag = element.tag
    if tag == "header":
        inside = next(element.iterancestors("article", "main", "section"), None)
        return inside is None and next(element.iter("h1"), None) is None
    if tag == "aside":
        return not _CONTENT_ASIDES.search(element.get("class", "") + element.get("role", ""))
    return tag in _TAGS or element.get("role") in _ROLES


class Boilerplate:
    """Judges elements; an element inside boilerplate is boilerplate.

    Names lie often enough that they count only for parts that hold less than 30 % of the page's words and
    that the extractor did not mostly keep; a menu or sidebar, moreover, has to consist of links. A form to
    subscribe with is boilerplate whoever kept it.

    Args:
        body: the page.
        words: the words below each element.
        unwanted: elements that are boilerplate whatever they are called.
    """

    def __init__(
        self,
        body: html.HtmlElement,
        words: Words,
        unwanted: frozenset[html.HtmlElement] = frozenset(),
    ) -> None:
        self._words = words
        self._unwanted = unwanted
        self._page_words = words.all.get(body, 0)
        self._known: dict[html.HtmlElement, bool] = {body: False}
        self._named: dict[str, _Named] = {}

    def holds(self, element: html.HtmlElement | None) -> bool:
        """Whether an element is boilerplate or stands in it."""
        path = []
        while element is not None and element not in self._known:
            path.append(element)
            element = element.getparent()
        verdict = element is not None and self._known[element]
        for inner in reversed(path):
            verdict = verdict or inner in self._unwanted or is_landmark(inner) or self._is_named(inner)
            self._known[inner] = verdict
        return verdict

    def _is_named(self, element: html.HtmlElement) -> bool:
        if element.tag in HEADINGS or element.tag in ("article", "main"):
            return False
        name = element.get("id", "")
        if element.tag == "section" or name.count("-") + name.count("_") >= _MAX_ID_WORDS:
            name = ""
        name = f"{element.get('class', '')} {name}"
        words = self._words.all.get(element, 0)
        if name.isspace() or words >= _MAX_PAGE_SHARE * self._page_words:
            return False
        named = self._named.get(name)
        if named is None:
            named = self._named[name] = _read_name(name)
        if named.is_sign_up and next(element.iter("input", "form"), None) is not None:
            return True
        if self._words.voted.get(element, 0) >= _TRUSTED_VOTE_SHARE * words:
            return False
        if named.is_boilerplate:
            return True
        return named.is_link_list and self._words.linked.get(element, 0) >= _LINK_LIST_SHARE * words


class _Named(NamedTuple):
    """What the class and the id of an element say that it is."""

    is_sign_up: bool
    is_boilerplate: bool
    is_link_list: bool


def _read_name(name: str) -> _Named:
    name = _CAMEL_HUMP.sub("-", name)
    patterns = (_SIGN_UPS, _NAMES, _NAMES_OF_LINK_LISTS)
    return _Named(*(pattern.search(name) is not None for pattern in patterns))
