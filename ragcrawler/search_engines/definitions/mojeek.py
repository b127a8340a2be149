"""Mojeek: results are items of a list in `#results`, each with a link in its heading."""

from ragcrawler.search_engines.pages.definition import EngineDefinition, Paging, Wrapper

MOJEEK = EngineDefinition(
    name="mojeek",
    base_url="https://www.mojeek.com",
    path="/search",
    parameters={"q": "{terms}"},
    own_domains=("mojeek.com", "mojeek.co.uk"),
    containers=(
        ".//*[@id='results']",
        ".//ul[starts-with(@class, 'results')]",
        ".//main",
        ".//*[@role='main']",
    ),
    links=".//*[self::li or self::article or @role='listitem']//h2//a[@href]",
    skipped=(".//*[@data-ad or @role='complementary' or @role='navigation']", ".//aside", ".//footer"),
    empty_marks=(
        ".//*[@id='no-results' or contains(concat(' ', @class, ' '), ' no-results ')]",
        ".//*[@id='results'][not(.//a[@href])]",
    ),
    wrappers=(Wrapper("/click", ("u", "url")),),
    ad_paths=("/ad",),
    paging=Paging("s", 11, 10, max_pages=10),
    language_parameters={"lb": "{language}"},
    since_parameter="since",
    since_values=dict.fromkeys(("day", "week", "month", "year"), "{first_date}"),
)
