"""What a page declares itself to be: JSON-LD, microdata, Open Graph, its generator, classes and address."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from lxml import html

from ragcrawler.conversion.html.kinds import declared_words as words

_LD_TYPE = re.compile(r'"@type"\s{0,9}:\s{0,9}\[?\s{0,9}"(?:https?://schema\.org/)?(\w{1,40})"')
_MOST_TYPES = 2_000
_MOST_CHARACTERS = 500_000
_MOST_NAME_CHARACTERS = 2_000
_PRODUCTS_OF_ONE_PAGE = 2
_WORDS_OF_A_HEADLINE = 4


def _patterns(table: Mapping[str, tuple[str, ...]], around: str) -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(around.format("|".join(names)), re.ASCII) for kind, names in table.items()}


_TYPES = _patterns(words.TYPES, "{}")
_GENERATORS = _patterns(words.GENERATORS, "{}")
_CLASSES = _patterns(words.CLASSES, r"(?<!\S)(?:{})(?![a-z])")
_PATHS = _patterns(words.PATHS, r"/(?:{})(?:[/.]|$)")
_HOSTS = _patterns(words.HOSTS, r"(?:^|[.-])(?:{})\d?[.-]")


def declared_features(root: html.HtmlElement, url: str) -> dict[str, float]:
    """Features by name, each 0 or 1. The root is not changed."""
    return {
        **_type_features(root),
        **_open_graph_features(root),
        **_class_features(root),
        **_address_features(url),
    }


def _type_features(root: html.HtmlElement) -> dict[str, float]:
    counts = dict.fromkeys(_TYPES, 0)
    for name in _schema_types(root):
        for kind, pattern in _TYPES.items():
            counts[kind] += pattern.fullmatch(name) is not None
    features = {f"type {kind}": float(count > 0) for kind, count in counts.items()}
    features["type product"] = float(1 <= counts["product"] <= _PRODUCTS_OF_ONE_PAGE)
    features["types of products"] = float(counts["product"] > _PRODUCTS_OF_ONE_PAGE)
    return features


def _schema_types(root: html.HtmlElement) -> Iterator[str]:
    """Names of schema.org types, at most 2,000 from each source."""
    found = 0
    for script in root.iter("script"):
        if script.get("type") != "application/ld+json":
            continue
        for match in _LD_TYPE.finditer((script.text or "")[:_MOST_CHARACTERS]):
            found += 1
            if found > _MOST_TYPES:
                return
            yield match[1]
    for itemtype in root.xpath("descendant-or-self::*/@itemtype")[:_MOST_TYPES]:
        yield itemtype.rpartition("/")[2]


def _open_graph_features(root: html.HtmlElement) -> dict[str, float]:
    contents = {
        (meta.get("property") or meta.get("name") or "").lower(): meta.get("content", "").lower()
        for meta in root.iterfind("./head/meta[@content]")
    }
    kind = contents.get("og:type", "")
    generator = f"{contents.get('generator', '')} {contents.get('application-name', '')}"
    features = {
        "og article": "article" in kind,
        "og product": "product" in kind,
        "og website": "website" in kind,
        "og none": not kind,
        "published": "article:published_time" in contents or "article:author" in contents,
        "priced": "product:price:amount" in contents or "og:price:amount" in contents,
    } | {
        f"generator {name}": bool(names.search(generator[:_MOST_NAME_CHARACTERS]))
        for name, names in _GENERATORS.items()
    }
    return {name: float(value) for name, value in features.items()}


def _class_features(root: html.HtmlElement) -> dict[str, float]:
    parts = [
        each.get(name, "")[:_MOST_NAME_CHARACTERS]
        for each in (root, root.find("body"))
        if each is not None
        for name in ("class", "id", "data-template")
    ]
    names = " ".join(parts).lower().replace("_", "-")
    return {f"class {kind}": float(bool(pattern.search(names))) for kind, pattern in _CLASSES.items()}


def _address_features(url: str) -> dict[str, float]:
    try:
        parts = urlsplit(url.lower()[:_MOST_NAME_CHARACTERS])
        host, path = f"{parts.hostname or ''}.", parts.path.rstrip("/")
    except ValueError:
        host = path = ""
    hyphens = path.rpartition("/")[2].count("-")
    features = {
        "path none": not path,
        "path short": path.count("/") == 1,
        "path headline": hyphens >= _WORDS_OF_A_HEADLINE,
        "path name": 1 <= hyphens < _WORDS_OF_A_HEADLINE,
        "path number": bool(re.search(r"\d{4}", path)),
    }
    features |= {f"path {kind}": bool(pattern.search(path)) for kind, pattern in _PATHS.items()}
    features |= {f"host {kind}": bool(pattern.search(host)) for kind, pattern in _HOSTS.items()}
    return {name: float(value) for name, value in features.items()}
