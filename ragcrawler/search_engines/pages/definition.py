"""An engine as data: how it is asked, and how its pages are told apart."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Paging:
    """How pages behind the first one are asked for.

    Attributes:
        parameter: its name; the first page goes without.
        start: its value for the second page.
        step: added for each further page.
        max_pages: that the engine gives.
    """

    parameter: str
    start: int
    step: int
    max_pages: int


@dataclass(frozen=True, slots=True)
class Wrapper:
    """An address of the engine's own that carries the one of a result.

    Attributes:
        path: under which it lies on the engine's hosts.
        parameters: of which the first that is there has the result's address.
        encoding: "plain", or "base64url" behind two characters of the engine's.
    """

    path: str
    parameters: tuple[str, ...]
    encoding: Literal["plain", "base64url"] = "plain"


@dataclass(frozen=True, slots=True)
class EngineDefinition:
    """One engine. XPath expressions go by ids, roles, attributes of data, and structure.

    Attributes:
        name: as in `engines=`; of the folder of its fixtures, too.
        base_url: scheme and host, without a slash at the end.
        path: of its pages of results.
        parameters: of every request; `{terms}` stands for the query.
        own_domains: registered domains of the engine: links there are no results.
        containers: XPath of the element that holds the results; the first that is there counts.
        links: XPath of the results' links, within the container.
        skipped: XPath of areas that hold no results, such as advertisements.
        empty_marks: XPath of what says that nothing was found.
        captcha_marks: XPath of what a captcha is made of.
        consent_marks: XPath of what asks for consent.
        captcha_urls: where a captcha's page lies, searched in the address that answered.
        consent_urls: likewise of consent.
        ad_paths: on the engine's hosts, of links that lead to advertisers.
        wrappers: addresses that carry a result's.
        paging: None where a page cannot be asked for by its address.
        language_parameters: `{language}` stands for two letters; empty where the address knows none.
        since_parameter: "" where the address knows none.
        since_values: of it; `{first_date}` stands for the first day as 20261231, `{first_day}` and
            `{last_day}` for days since 1970.
    """

    name: str
    base_url: str
    path: str
    parameters: Mapping[str, str]
    own_domains: tuple[str, ...]
    containers: tuple[str, ...]
    links: str
    skipped: tuple[str, ...] = ()
    empty_marks: tuple[str, ...] = ()
    captcha_marks: tuple[str, ...] = ()
    consent_marks: tuple[str, ...] = ()
    captcha_urls: re.Pattern[str] = field(default_factory=lambda: re.compile(r"/captcha\b"))
    consent_urls: re.Pattern[str] = field(default_factory=lambda: re.compile(r"//consent\."))
    ad_paths: tuple[str, ...] = ()
    wrappers: tuple[Wrapper, ...] = ()
    paging: Paging | None = None
    language_parameters: Mapping[str, str] = field(default_factory=dict)
    since_parameter: str = ""
    since_values: Mapping[str, str] = field(default_factory=dict)
