"""The docs say what the program does: every setting, stat and command has its entry."""

import re
from pathlib import Path

import pytest

import ragcrawler
from ragcrawler import settings


def pair(names: list[str], defaults: str) -> list[tuple[str, str]]:
    """Each name of a row with its default: one for all of them, or one each."""
    each = defaults.split(", ") if len(names) > 1 else [defaults]
    return list(zip(names, each * len(names) if len(each) == 1 else each, strict=True))


PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "ragcrawler"
SETTINGS_PAGE = (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8")
README = (PROJECT / "README.md").read_text(encoding="utf-8")
WHAT_YOU_CAN_DO = (PROJECT / "docs" / "what_you_can_do.md").read_text(encoding="utf-8")

# Wiring, not knobs: which class does what.
WIRING = {
    "AUTOTHROTTLE_MAX_DELAY",
    "AUTOTHROTTLE_START_DELAY",
    "AUTOTHROTTLE_TARGET_CONCURRENCY",
    "BOT_NAME",
    "COMMANDS_MODULE",
    "CONCURRENT_REQUESTS",
    "CONCURRENT_REQUESTS_PER_DOMAIN",
    "DNS_TIMEOUT",
    "DOWNLOADER",
    "DOWNLOADER_MIDDLEWARES",
    "DOWNLOAD_WARNSIZE",
    "EXTENSIONS",
    "FEEDS",
    "FEED_EXPORTERS",
    "FEED_EXPORT_ENCODING",
    "FEED_URI_PARAMS",
    "ITEM_PIPELINES",
    "LOG_FORMATTER",
    "METAREFRESH_ENABLED",
    "NEWSPIDER_MODULE",
    "RETRY_TIMES",
    "ROBOTSTXT_USER_AGENT",
    "SCHEDULER_DISK_QUEUE",
    "SCHEDULER_MEMORY_QUEUE",
    "SPIDER_LOADER_CLASS",
    "SPIDER_MODULES",
}


@pytest.mark.parametrize(
    "name", sorted(name for name in vars(settings) if name.isupper() and name not in WIRING)
)
def test_a_setting_has_its_entry(name: str) -> None:
    assert f"`{name}`" in SETTINGS_PAGE


def test_the_settings_page_names_no_setting_that_is_gone() -> None:
    entries = re.findall(r"^\| `([A-Z_]+)`", SETTINGS_PAGE.partition("## Scrapy's")[0], re.MULTILINE)
    assert set(entries) <= {*vars(settings)}


# Their default is told in words.
IN_WORDS = {
    "RAGCRAWLER_ROOT",
    "JUNK_URL_PATTERN",
    "COLLECTION_WAIT_SECONDS",
    "EMBEDDING_CACHE_PATH",
    "EMBEDDING_REQUESTS_PER_MINUTE",
    "EMBEDDING_TOKENS_PER_MINUTE",
    "EMBEDDING_REQUEST_TEXTS",
    "EMBEDDING_URL",
    "HF_ENDPOINT",
    "HF_HUB_OFFLINE",  # of the environment of the tests
    "LLM_LEDGER_PATH",
    "LLM_PRICE_CACHED_INPUT",
    "MODEL_CACHE_DIR",
    "QDRANT_FOLDER",
}
ROWS = [
    (name, default)
    for names, defaults in re.findall(
        r"^\| (`[A-Z_`, \u2022]+) \| (.*?) ?\| ", SETTINGS_PAGE.partition("## Scrapy's")[0], re.MULTILINE
    )
    for name, default in pair(re.findall("[A-Z_]+", names), defaults)
    if name not in IN_WORDS
]


@pytest.mark.parametrize(("name", "default"), ROWS)
def test_the_settings_page_says_the_default_that_holds(name: str, default: str) -> None:
    value = getattr(settings, name)
    number = float(default) if re.fullmatch(r"-?[0-9.]+", default) else None
    said = default.strip("`") if number is None else number
    holds = float(value) if number is not None else "" if value is None else str(value)
    assert holds == said


STATS = sorted(
    {
        stat
        for path in PACKAGE.rglob("*.py")
        for stat in re.findall(
            r'(?:self\.count\(|"ragcrawler/|PREFIX\}|PREFIX \+ )f?"?([a-z_]+/[a-z_]+)',
            path.read_text("utf-8"),
        )
    }
)


@pytest.mark.parametrize("stat", STATS)
def test_a_stat_has_its_entry(stat: str) -> None:
    assert f"`{stat}" in SETTINGS_PAGE


def test_the_readme_is_one_that_one_reads() -> None:
    assert len(README.splitlines()) <= 120


@pytest.mark.parametrize("module", sorted((PACKAGE / "commands").rglob("*.py")), ids=lambda path: path.stem)
def test_a_command_stands_among_what_one_can_do(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    is_command = re.search(r"^class Command\(", text, re.MULTILINE)
    assert not is_command or f"scrapy {module.stem}" in WHAT_YOU_CAN_DO


def _prose(page: Path) -> str:
    return re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_every_link_between_the_docs_leads_somewhere() -> None:
    pages = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").glob("*.md")]
    targets = [
        (page.name, target)
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", _prose(page))
        if not (page.parent / target).exists()
    ]
    assert targets == []


def test_the_navigation_of_the_site_names_every_page_once() -> None:
    configuration = (PROJECT / "docs" / "site" / "conf.py").read_text(encoding="utf-8")
    listed = re.findall(r'"docs/(\w+)"[,\]]', configuration)
    pages = sorted(path.stem for path in (PROJECT / "docs").glob("*.md"))
    assert sorted(listed) == pages


def test_the_program_in_the_readme_compiles_and_its_names_exist() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    compile(program, "README.md", "exec")
    assert program.startswith("import ragcrawler\n")
    page = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")
    names = set(re.findall(r"\bragcrawler\.(\w+)\(", program + page))
    assert {"crawl", "search", "open_retriever"} == names
    assert all(callable(getattr(ragcrawler, name)) for name in names)
