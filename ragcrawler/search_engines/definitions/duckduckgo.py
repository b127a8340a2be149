"""DuckDuckGo: results are articles with a heading, in its plain page blocks of `#links`.

Pages behind the first come by a token, not by an address: only the first is asked for.
"""

from ragcrawler.search_engines.pages.definition import EngineDefinition, Wrapper

DUCKDUCKGO = EngineDefinition(
    name="duckduckgo",
    base_url="https://duckduckgo.com",
    path="/",
    parameters={"q": "{terms}", "ia": "web"},
    own_domains=("duckduckgo.com", "duck.com", "duck.ai"),
    containers=(".//*[@data-testid='mainline']", ".//*[@id='links']", ".//main", ".//*[@role='main']"),
    links=(
        ".//a[@href][ancestor::h2 or ancestor::*[@role='heading'] or .//h2] | .//td/a[@href][@rel='nofollow']"
    ),
    skipped=(
        ".//*[@data-testid='ad' or @data-layout='ad' or @id='ads']",
        ".//*[contains(concat(' ', @class, ' '), ' result--ad ')]",
        ".//*[@role='complementary' or @role='navigation']",
    ),
    empty_marks=(
        ".//*[@data-testid='no-results-message' or @id='no-results']",
        ".//*[contains(concat(' ', @class, ' '), ' no-results ')]",
        ".//*[@id='links' or @data-testid='mainline'][not(.//a[@href])]",
    ),
    captcha_marks=(".//form[@id='challenge-form']", ".//*[contains(@class, 'anomaly-modal')]"),
    ad_paths=("/y.js",),
    wrappers=(Wrapper("/l/", ("uddg",)),),
    language_parameters={"kad": "{language}"},
    since_parameter="df",
    since_values={"day": "d", "week": "w", "month": "m", "year": "y"},
)
