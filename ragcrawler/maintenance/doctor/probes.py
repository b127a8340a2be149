"""The table of probes, and how they are run: side by side, each until a time limit."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence

from ragcrawler.config.errors import SettingError
from ragcrawler.maintenance.doctor.collection import LEAST_SECONDS, collection
from ragcrawler.maintenance.doctor.contradictions import settings_agree
from ragcrawler.maintenance.doctor.finding import Finding, Named
from ragcrawler.maintenance.doctor.language_model import language_model
from ragcrawler.maintenance.doctor.machine import browser, disk, docling, python, server, tor
from ragcrawler.maintenance.doctor.models import dense_model, sparse_model
from ragcrawler.maintenance.doctor.services import postgres, qdrant, redis, searxng

Settings = Mapping[str, object]
Probe = Callable[[Settings, float], Finding]
"""Takes the settings and the seconds that it may wait for a service."""

# They wait for this machine alone, which may be slow to import what they need.
_LOCAL = {
    *("Python", "settings", "disk", "dense model", "sparse model", "collection"),
    *("browser", "docling", "Tor", "server"),
}
_LOCAL_SECONDS = LEAST_SECONDS

PROBES: Mapping[str, Probe] = {
    "Python": python,
    "settings": settings_agree,
    "disk": disk,
    "dense model": dense_model,
    "sparse model": sparse_model,
    "collection": collection,
    "Qdrant": qdrant,
    "Redis": redis,
    "PostgreSQL": postgres,
    "browser": browser,
    "docling": docling,
    "Tor": tor,
    "SearXNG": searxng,
    "language model": language_model,
    "server": server,
}


def run_probes(
    settings: Settings,
    seconds: float,
    probes: Mapping[str, Probe] = PROBES,
    *,
    spare_seconds: float = 1.0,
) -> Sequence[Named]:
    """The findings, in the order of the table; none takes much longer than the limit.

    Args:
        settings: all of them.
        seconds: that each probe has.
        probes: by name.
        spare_seconds: beside the limit, for a probe's own limit comes first and says more.
    """
    found: dict[str, Finding] = {}
    threads = [
        threading.Thread(target=_run, args=(name, probe, settings, seconds, found), daemon=True)
        for name, probe in probes.items()
    ]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    for name, thread in zip(probes, threads, strict=True):
        limit = max(seconds, _LOCAL_SECONDS) if name in _LOCAL else seconds + spare_seconds
        thread.join(max(0.0, began + limit - time.monotonic()))
    late = Finding("failed", f"no answer within {seconds:g} s", "look at it, or give more time by --timeout")
    return [Named(name, found.get(name, late)) for name in probes]


def _run(name: str, probe: Probe, settings: Settings, seconds: float, found: dict[str, Finding]) -> None:
    try:
        found[name] = probe(settings, seconds)
    except SettingError as error:
        found[name] = Finding("failed", str(error), "set it right, and ask again")
    except Exception as error:  # noqa: BLE001 - one broken part must not hide what the others found
        found[name] = Finding(
            "failed", f"{type(error).__name__}: {error}", "this is a fault of ours: report it"
        )
