"""Google: results are links that hold a heading, in `#rso` of `#search`."""

import re

from ragcrawler.search_engines.pages.definition import EngineDefinition, Paging, Wrapper

GOOGLE = EngineDefinition(
    name="google",
    base_url="https://www.google.com",
    path="/search",
    parameters={"q": "{terms}", "ie": "utf8", "oe": "utf8"},
    own_domains=("google.com", "gstatic.com", "googleusercontent.com", "googleadservices.com"),
    containers=(".//*[@id='rso']", ".//*[@id='search']", ".//*[@role='main']", ".//main"),
    links=".//a[@href][.//h3 or .//*[@role='heading']]",
    skipped=(
        ".//*[@id='tads' or @id='tadsb' or @id='bottomads' or @id='botstuff' or @data-text-ad]",
        ".//*[@role='complementary' or @role='navigation' or @role='contentinfo']",
    ),
    empty_marks=(
        ".//*[@id='topstuff'][.//*[@role='heading' or self::p]]",
        ".//*[@id='rso' or @id='search'][not(.//a[@href])]",
    ),
    captcha_marks=(".//form[@id='captcha-form']",),
    consent_marks=(".//form[contains(@action, '//consent.')]",),
    captcha_urls=re.compile(r"//sorry\.|/sorry/"),
    consent_urls=re.compile(r"//consent\.|[?&]continue=.*consent"),
    ad_paths=("/aclk", "/pagead/aclk"),
    wrappers=(Wrapper("/url", ("q", "url")), Wrapper("/imgres", ("imgrefurl",))),
    paging=Paging("start", 10, 10, max_pages=10),
    language_parameters={"hl": "{language}", "lr": "lang_{language}"},
    since_parameter="tbs",
    since_values={"day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"},
)
