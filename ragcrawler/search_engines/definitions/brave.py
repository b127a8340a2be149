"""Brave Search: results are blocks with `data-type="web"` in `#results`, each headed by its first link."""

import re

from ragcrawler.search_engines.pages.definition import EngineDefinition, Paging, Wrapper

BRAVE = EngineDefinition(
    name="brave",
    base_url="https://search.brave.com",
    path="/search",
    parameters={"q": "{terms}", "source": "web"},
    own_domains=("brave.com", "brave.software"),
    containers=(".//*[@id='results']", ".//main", ".//*[@role='main']"),
    links=".//*[@data-type='web']/descendant::a[@href][1]",
    skipped=(".//*[@data-type='ad' or @id='search-ad' or @data-type='cluster']", ".//aside", ".//footer"),
    empty_marks=(
        ".//*[@id='results'][not(.//a[@href])]",
        ".//*[@data-type='no-results' or @id='no-results']",
    ),
    captcha_marks=(".//*[contains(@id, 'captcha')]",),
    captcha_urls=re.compile(r"/captcha\b"),
    ad_paths=("/a/redirect",),
    wrappers=(Wrapper("/redirect", ("url",)),),
    paging=Paging("offset", 1, 1, max_pages=10),
    since_parameter="tf",
    since_values={"day": "pd", "week": "pw", "month": "pm", "year": "py"},
)
