"""Each call of `scrapy` imports every command module: none of them may bring heavy libraries along."""

import subprocess
import sys

HEAVY = (
    "docling",
    "fastembed",
    "onnxruntime",
    "onnx",
    "qdrant_client",
    "qdrant_edge",
    "trafilatura",
    "tokenizers",
)
PROGRAM = f"""
import importlib, pkgutil, sys
import ragcrawler.commands as commands
for module in pkgutil.iter_modules(commands.__path__):
    importlib.import_module(f"ragcrawler.commands.{{module.name}}")
print(" ".join(name for name in {HEAVY!r} if name in sys.modules))
"""


def test_the_commands_import_nothing_heavy() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []
