"""The docs say what the program does: every setting, stat and command has its entry."""

import re
from pathlib import Path

import pytest

import ragcrawler
from ragcrawler import settings

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "ragcrawler"
SETTINGS_PAGE = (PROJECT / "docs" / "settings.md").read_text(encoding="utf-8")
README = (PROJECT / "README.md").read_text(encoding="utf-8")

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


@pytest.mark.parametrize("module", sorted((PACKAGE / "commands").rglob("*.py")), ids=lambda path: path.stem)
def test_a_command_stands_in_the_readme(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    is_command = re.search(r"^class Command\(", text, re.MULTILINE)
    assert not is_command or f"scrapy {module.stem}" in README


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
