"""Bing: results are items of the list `#b_results`, each with a link in its heading."""

import re

from ragcrawler.search_engines.pages.definition import EngineDefinition, Paging, Wrapper

BING = EngineDefinition(
    name="bing",
    base_url="https://www.bing.com",
    path="/search",
    parameters={"q": "{terms}", "pq": "{terms}"},
    own_domains=("bing.com", "microsoft.com", "msn.com", "live.com"),
    containers=(".//*[@id='b_results']", ".//main", ".//*[@role='main']"),
    links=".//*[self::li or self::article or @role='listitem']//h2//a[@href]",
    skipped=(
        ".//*[contains(concat(' ', @class, ' '), ' b_ad ')]",
        ".//*[@data-ad or @id='b_context' or @role='complementary' or @role='navigation']",
    ),
    empty_marks=(
        ".//*[@id='b_results']//*[contains(concat(' ', @class, ' '), ' b_no ')]",
        ".//*[@id='b_results'][not(.//a[@href])]",
    ),
    captcha_marks=(".//*[@id='b_captcha' or contains(@class, 'captcha')]", ".//*[@id='cf-turnstile']"),
    consent_marks=(".//*[@id='bnp_container']",),
    captcha_urls=re.compile(r"/challenge/|/captcha"),
    ad_paths=("/aclick", "/aclk"),
    wrappers=(Wrapper("/ck/a", ("u",), "base64url"),),
    paging=Paging("first", 11, 10, max_pages=20),
    language_parameters={"setlang": "{language}"},
    since_parameter="filters",
    since_values={
        "day": 'ex1:"ez1"',
        "week": 'ex1:"ez2"',
        "month": 'ex1:"ez3"',
        "year": 'ex1:"ez5_{first_day}_{last_day}"',
    },
)
