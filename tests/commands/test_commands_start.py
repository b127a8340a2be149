"""Each call of `scrapy` imports every command module: none of them may bring heavy libraries along."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.warm_python import Python, completed

OF_MODELS = ("docling", "fastembed", "onnxruntime", "onnx", "tokenizers", "torch", "numpy", "pandas")
OF_STORES = ("qdrant_client", "qdrant_edge", "grpc", "pg8000", "redis")
OF_PAGES = ("trafilatura", "pypdfium2", "playwright")
OF_OUTPUT = ("rich", "pygments", "markdown_it", "jinja2", "shtab")
OF_SERVICES = ("httpx", "instructor", "uvicorn", "starlette", "mcp", "langchain_core", "llama_index")
OURS = tuple(
    f"ragcrawler.{name}"
    for name in (
        "chunking",
        "config.configuration",
        "conversion",
        "embedding",
        "frontier",
        "retrieval",
        "stores",
    )
)
HEAVY = (*OF_MODELS, *OF_STORES, *OF_PAGES, *OF_OUTPUT, *OF_SERVICES, *OURS)
# As Scrapy does: every module of the folder, those of folders within it included.
PROGRAM = f"""
import importlib, pkgutil, sys
import ragcrawler.commands as commands
import scrapy.cmdline
for module in pkgutil.walk_packages(commands.__path__, "ragcrawler.commands."):
    importlib.import_module(module.name)
print(" ".join(name for name in {HEAVY!r} if name in sys.modules))
"""


def test_the_commands_import_nothing_heavy() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []


def test_what_needs_no_spider_is_there_outside_of_the_project(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "scrapy"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    listed = {line.split()[0] for line in ended.stdout.splitlines() if line.startswith("  ")}
    assert {"ask", "chunk", "convert", "search"} <= listed


def test_a_page_is_chunked_outside_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Pumps\n\nThey need a filter.\n", encoding="utf-8")
    command = [sys.executable, "-m", "scrapy", "chunk", "page.md", "-s", "EMBEDDING_MODEL=hashing/384"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout)["section_path"] == ["Pumps"]


def test_without_size_options_a_page_is_chunked_by_the_settings(scrapy: Any, tmp_path: Path) -> None:
    words = "Water the seedlings in the early morning. " * 60
    (tmp_path / "page.md").write_text(f"# Pumps\n\n{words}\n", encoding="utf-8")
    sizes = {"CHUNK_TARGET_TOKENS": "60", "CHUNK_MAX_TOKENS": "80"}
    ended = scrapy.run("chunk", str(tmp_path / "page.md"), **sizes)
    counts = [json.loads(line)["token_count"] for line in ended.stdout.splitlines()]
    assert len(counts) > 3
    assert max(counts) <= 80


@pytest.mark.parametrize(
    ("program", "arguments", "code", "said"),
    [
        (
            "ragcrawler",
            ["-h"],
            0,
            ["  ragcrawler <command> [options] [args]", 'Use "ragcrawler <command> -h"'],
        ),
        ("ragcrawler", ["nothing"], 2, ['Use "ragcrawler" to see']),
        ("ragcrawler", ["search", "-h"], 0, ["  ragcrawler search QUERY [options]"]),
        ("ragcrawler", ["search"], 2, ["  ragcrawler search QUERY", "ragcrawler: error: name what"]),
        ("scrapy", ["search", "-h"], 0, ["  scrapy search QUERY [options]"]),
    ],
)
def test_each_program_calls_itself_by_its_own_name(
    python: Python, program: str, arguments: list[str], code: int, said: list[str]
) -> None:
    ended = completed(python("-m", program, *arguments))
    shown = ended.stdout + ended.stderr
    assert ended.returncode == code, shown
    assert [each for each in said if each not in shown] == []
    other = {"scrapy": "ragcrawler", "ragcrawler": "scrapy"}[program]
    assert f"{other} <" not in shown
    assert f"  {other} search" not in shown
