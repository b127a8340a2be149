"""Parts of a page that its author marks as no content: landmarks, and what classes and ids name so."""

import re
from collections.abc import Mapping

from lxml import html

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
    r"(?<![^\s_-])(?:nav(?:bar|igation|list|menu|links?|box|header|footer)?|menus?|menubar|"
    r"side-?bars?|share|sharing|social|related|promo|ads|advert\w*|cookies?|cookie-?\w*|consent|gdpr|banner|"
    r"breadcrumbs?|pop-?up|modal|subscribe|newsletter|login|sign-?(?:in|up)|pagination|pager|toolbar|search|"
    r"recommend(?:ed|ations?)?|outbrain|taboola|off-?canvas|drawer|mini-?cart|cart|flyout|mega-?menu|masthead)"
    r"(?![^\s_-])"
    r"|(?<!\S)(?:(?:site|page|global|main|sphinx|doc)-?)?(?:footer|sidebar)(?![^\s_-])",
    re.IGNORECASE,
)
_CONTENT_ASIDES = re.compile(r"quote|footnote|admonition|note|callout|warning|tip|example", re.IGNORECASE)
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_ID_WORDS = 2
_MAX_PAGE_SHARE = 0.3
_TRUSTED_VOTE_SHARE = 0.6


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

    Names lie often enough that they count only for parts that hold less than 30 % of the page's words and that
    the extractor did not mostly keep.
    """

    def __init__(
        self,
        body: html.HtmlElement,
        words: Mapping[html.HtmlElement, int],
        voted: Mapping[html.HtmlElement, int],
    ) -> None:
        """Take the words below each element, all of them and those that the extractor kept."""
        self._words = words
        self._voted = voted
        self._known: dict[html.HtmlElement, bool] = {body: False}

    def holds(self, element: html.HtmlElement | None) -> bool:
        """Whether an element is boilerplate or stands in it."""
        path = []
        while element is not None and element not in self._known:
            path.append(element)
            element = element.getparent()
        verdict = element is not None and self._known[element]
        for inner in reversed(path):
            verdict = verdict or is_landmark(inner) or self._is_named(inner)
            self._known[inner] = verdict
        return verdict

    def _is_named(self, element: html.HtmlElement) -> bool:
        if element.tag in HEADINGS or element.tag in ("article", "main"):
            return False
        name = element.get("id", "")
        if element.tag == "section" or len(re.split(r"[-_]", name)) > _MAX_ID_WORDS:
            name = ""
        classes = element.get("class", "")
        if not _NAMES.search(_CAMEL_HUMP.sub("-", f"{classes} {name}")):
            return False
        words = self._words.get(element, 0)
        voted = self._voted.get(element, 0)
        return words < _MAX_PAGE_SHARE * self._whole(self._words) and voted < _TRUSTED_VOTE_SHARE * words

    def _whole(self, sums: Mapping[html.HtmlElement, int]) -> int:
        return max(sums.values(), default=0)
