"""Probes of the embedding models."""

from collections.abc import Mapping
from dataclasses import replace

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.reader import SettingsReader
from ragcrawler.embedding.hub.probe import NoHub
from ragcrawler.embedding.model_status import ModelStatus, model_statuses
from ragcrawler.embedding.selection import open_hub_probe
from ragcrawler.maintenance.doctor.finding import Finding


def dense_model(settings: Mapping[str, object], seconds: float) -> Finding:
    """The model of the dense vectors."""
    return _finding(model_statuses_of(settings, seconds)[0], settings)


def sparse_model(settings: Mapping[str, object], seconds: float) -> Finding:
    """The model of the sparse vectors."""
    return _finding(model_statuses_of(settings, seconds)[1], settings)


def model_statuses_of(
    settings: Mapping[str, object], seconds: float, remembered: tuple[str, str] | None = None
) -> tuple[ModelStatus, ModelStatus]:
    """The dense and the sparse model of a collection that remembers them, or of a new one.

    The hub is asked where HF_ENDPOINT names it.
    """
    chosen = Configuration.from_settings(settings)
    config = replace(chosen.embedding, hub_timeout_seconds=min(seconds, chosen.embedding.hub_timeout_seconds))
    hub = open_hub_probe(config) if _names_hub(settings) else NoHub()
    return model_statuses(chosen.dense_model, chosen.sparse_model, remembered, config, hub)


def _finding(status: ModelStatus, settings: Mapping[str, object]) -> Finding:
    asked = "" if _names_hub(settings) else " (the hub was not asked: HF_ENDPOINT names none)"
    if status.place is None:
        todo = "give access to the hub, copy the model into the cache, or name another: docs/embedding.md"
        return Finding("failed", f"{status.problem}{asked}", todo)
    where = "here" if status.place.is_here else "fetched at its first use"
    found = f"{status.name}: {status.place.source} {status.place.place}, {where}"
    if status.problem:
        todo = "give access to the hub, or copy the usual model into the cache: docs/embedding.md"
        return Finding("warning", f"{found}; smaller than the usual one{asked}", todo)
    return Finding("ok", found)


def _names_hub(settings: Mapping[str, object]) -> bool:
    return bool(SettingsReader(settings).text("HF_ENDPOINT"))
