"""Probes of the machine: nothing of these goes over a network."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from ragcrawler import __version__
from ragcrawler.config.machine import usable_cpus
from ragcrawler.config.reader import SettingsReader
from ragcrawler.config.server import server_config
from ragcrawler.maintenance.doctor.finding import Finding, unused
from ragcrawler.rendering.chromium import (
    BrowserMissing,
    browser_environment,
    find_chromium,
    headless_arguments,
    start_failure,
)
from ragcrawler.tor.errors import TorError
from ragcrawler.tor.exits import read_exits

_OLDEST, _TOO_NEW = (3, 11), (3, 14)
_MEBIBYTE = 2**20
_COMFORTABLE_MEBIBYTES = 2_048
_BROWSER_SECONDS = 45.0
_CHROMIUM = re.compile(r"(Chrom|Edge|Brave)\D*\d+(\.\d+){2,}", re.IGNORECASE)
_WORD = "shown"
_WEIGHTS = ("*.safetensors", "*.onnx", "*.pt", "*.pth", "*.bin")


def python(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - all probes have one shape
    """The version of Python."""
    cpus = usable_cpus()
    found = f"{platform.python_version()}, ragcrawler {__version__}, {cpus} CPU{'s' if cpus > 1 else ''}"
    if _OLDEST <= sys.version_info[:2] < _TOO_NEW:
        return Finding("ok", found)
    return Finding("failed", found, "use Python 3.11, 3.12 or 3.13")


def disk(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - all probes have one shape
    """Whether results can be written, and how much."""
    read = SettingsReader(settings)
    folder, reserve = read.folder("OUTPUT_DIR").absolute(), read.integer("DISK_RESERVE_MEBIBYTES")
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return Finding("failed", f"{existing} cannot be written to", "set OUTPUT_DIR to another folder")
    free = shutil.disk_usage(existing).free // _MEBIBYTE
    found = f"{free:,} MiB free for {folder}; {reserve:,} MiB of them stay free"
    if free < reserve:
        return Finding("failed", found, "free some, or lower DISK_RESERVE_MEBIBYTES")
    if free < reserve + _COMFORTABLE_MEBIBYTES:
        return Finding("warning", found, "free some: models and a collection take gigabytes")
    return Finding("ok", found)


def browser(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - all probes have one shape
    """The browser for pages that need JavaScript; it is started to tell its version, and to show a page."""
    read = SettingsReader(settings)
    choice = read.choice("JAVASCRIPT", ("auto", "always", "never"))
    if choice == "never":
        return unused("JAVASCRIPT=never")
    try:
        path = find_chromium(read.text("CHROMIUM_PATH"))
    except BrowserMissing as error:
        is_wanted = choice == "always" or bool(read.text("CHROMIUM_PATH"))
        todo = "install one, or set JAVASCRIPT=never; pages are taken without their scripts else"
        return Finding("failed" if is_wanted else "warning", str(error), todo)
    try:
        version = " ".join(_said([path, "--version"]).split())[:100]
        if not _CHROMIUM.search(version):
            found = f"{path} says {version[:40]!r} of itself: it is no Chromium"
            return Finding("failed", found, "set CHROMIUM_PATH to one")
        with TemporaryDirectory(prefix="ragcrawler-doctor-") as profile:
            shown = _said([path, *headless_arguments(profile), "--dump-dom", f"data:text/html,{_WORD}"])
    except (OSError, subprocess.SubprocessError) as error:
        reason = getattr(error, "stderr", "") or type(error).__name__
        return Finding("failed", f"{path} does not start: {start_failure(reason)}", "install it anew")
    if _WORD not in shown:
        return Finding("failed", f"{path} ({version}) shows no page", "install it anew")
    return Finding("ok", f"{path}: {version}; it shows a page")


def _said(command: list[str]) -> str:
    """What the operator's own program says."""
    environment = browser_environment()
    return subprocess.run(  # noqa: S603 - likewise
        command, capture_output=True, text=True, timeout=_BROWSER_SECONDS, check=True, env=environment
    ).stdout


def docling(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - all probes have one shape
    """Docling's weights for PDFs."""
    read = SettingsReader(settings)
    folder = read.text("DOCLING_ARTIFACTS_PATH")
    if not folder:
        wanted = Finding("failed", "PDF_OCR is on without weights", "set DOCLING_ARTIFACTS_PATH")
        return wanted if read.flag("PDF_OCR") else unused("PDFs are read by their text layer")
    fill = f"fill it by `docling-tools models download -o {folder}`"
    if not Path(folder).is_dir():
        return Finding("failed", f"{folder} is no folder", fill)
    weights = sum(1 for pattern in _WEIGHTS for _ in Path(folder).rglob(pattern))
    if not weights:
        return Finding("failed", f"{folder} holds no weights", fill)
    if find_spec("docling_ibm_models") is None:
        return Finding("failed", "docling's models are not installed", "pip install 'ragcrawler[pdf]'")
    return Finding("ok", f"{weights} files of weights in {folder}")


def tor(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - all probes have one shape
    """The Tor clients of `scrapy tor`."""
    read = SettingsReader(settings)
    if read.text("PROXY") != "tor":
        return unused("PROXY is not tor")
    try:
        exits = read_exits(read.folder("OUTPUT_DIR").absolute() / "tor")
    except TorError as error:
        return Finding("failed", str(error), "start `scrapy tor` in another terminal")
    if not exits:
        return Finding("failed", "no client is connected at the moment", "wait, or look at scrapy tor's log")
    return Finding("ok", f"{len(exits)} clients are connected")


def server(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - all probes have one shape
    """What `scrapy serve` and `scrapy mcp` need."""
    missing = [name for name in ("starlette", "uvicorn", "jinja2", "mcp") if find_spec(name) is None]
    if missing:
        return unused(
            f"{', '.join(missing)} not installed", "for scrapy serve: pip install 'ragcrawler[serve]'"
        )
    config = server_config(settings, "127.0.0.1", 0)
    for_whom = "" if config.token else ", for this machine alone"
    return Finding("ok", f"scrapy serve and mcp can start{for_whom}")
