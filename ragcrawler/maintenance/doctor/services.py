"""Probes of the services that the settings name."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ragcrawler.config.crawling.search_engines import SearchEnginesConfig
from ragcrawler.config.postgres import postgres_address
from ragcrawler.config.reader import SettingsReader
from ragcrawler.config.store import store_config
from ragcrawler.maintenance.doctor.finding import Finding, unused
from ragcrawler.maintenance.doctor.http_answer import NoAnswerError, ask
from ragcrawler.postgres.driver import connect
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.programs import (
    TODO,
    can_run,
    closed_to_server,
    find_programs,
    is_root,
    place_of_copies,
)
from ragcrawler.stores import StoreConfig

_OK, _BAD_REQUEST, _UNAUTHORISED, _FORBIDDEN = 200, 400, 401, 403
_LEAST_QDRANT, _LEAST_REDIS = (1, 16), (6, 2)


def qdrant(settings: Mapping[str, object], seconds: float) -> Finding:
    """The Qdrant server, or where the embedded collection is."""
    read = SettingsReader(settings)
    config = store_config(read, read.folder("OUTPUT_DIR"))
    if not config.url:
        folder = config.folder / config.collection
        state = "is there" if folder.exists() else "is made by the first crawl"
        return unused(f"the engine is embedded: {folder} {state}")
    try:
        return _qdrant(config, seconds)
    except NoAnswerError as error:
        return Finding("failed", f"{config.url} {error}", "start the server, or look at QDRANT_URL")


def redis(settings: Mapping[str, object], seconds: float) -> Finding:
    """The Redis of a crawl that several processes share."""
    url = SettingsReader(settings).text("REDIS_URL")
    if not url:
        return unused("a crawl is one process")
    try:
        import redis as library
    except ImportError:
        return Finding("failed", "the package redis is not installed", "pip install 'ragcrawler[redis]'")
    place = f"{urlsplit(url).hostname}:{urlsplit(url).port or 6379}"
    try:
        with library.Redis.from_url(
            url, socket_timeout=seconds, socket_connect_timeout=seconds, retry=None
        ) as client:
            version = str(client.info("server")["redis_version"])
    except library.AuthenticationError as error:
        return Finding("failed", f"{place} refuses us: {error}", "look at user and password in REDIS_URL")
    except (library.RedisError, OSError, KeyError, ValueError) as error:
        found = f"{place} does not answer as Redis ({type(error).__name__})"
        return Finding("failed", found, "start the server, or look at REDIS_URL")
    if _numbers(version) < _LEAST_REDIS:
        return Finding("failed", f"{place} is version {version}", "upgrade it to 6.2 or later")
    return Finding("ok", f"{place}, version {version}")


def postgres(settings: Mapping[str, object], seconds: float) -> Finding:  # noqa: ARG001 - its driver has its own limit
    """The PostgreSQL of the catalogue and of researches."""
    address = postgres_address(settings)
    if address is None:
        return _own_server()
    try:
        connection: Any = connect(address)
        try:
            version = str(connection.parameter_statuses["server_version"])
            offered = connection.run("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        finally:
            connection.close()
    except PostgresError as error:
        return Finding("failed", str(error), "start the server, or look at POSTGRES_DSN")
    found = f"{address.shown}, version {version}"
    if not offered:
        return Finding("warning", f"{found}, without pgvector", "install pgvector, if you do researches")
    return Finding("ok", f"{found}, with pgvector")


def _own_server() -> Finding:
    """Whether researches have their server without one that the settings name."""
    found = "the catalogue is a file; "
    try:
        programs = find_programs()
    except PostgresError:
        return unused(f"{found}a research needs the extra research")
    if not is_root() or can_run(programs):
        return unused(f"{found}a research starts a server of our own")
    if place := place_of_copies():
        return unused(f"{found}{closed_to_server(programs)}: a research copies it to {place}, once")
    return Finding("warning", f"{closed_to_server(programs)}, and no copy can be made", TODO)


def searxng(settings: Mapping[str, object], seconds: float) -> Finding:
    """One's own SearXNG; a request without a question, so that no engine behind it is asked."""
    url = SearchEnginesConfig.from_settings(settings).searxng_url
    if not url:
        return unused("SEARXNG_URL names none")
    try:
        answer = ask(f"{url}/search?format=json", seconds)
    except NoAnswerError as error:
        return Finding("failed", f"{url} {error}", "start it, or look at SEARXNG_URL")
    if answer.status == _FORBIDDEN:
        todo = "add json to search.formats in its settings.yml"
        return Finding("failed", f"{url} refuses answers in JSON", todo)
    if answer.status == _BAD_REQUEST and isinstance(answer.body, dict):
        return Finding("ok", f"{url} answers in JSON")
    found = f"{url} does not answer as SearXNG (HTTP {answer.status})"
    return Finding("failed", found, "look at SEARXNG_URL")


def _qdrant(config: StoreConfig, seconds: float) -> Finding:
    headers = {"api-key": config.api_key} if config.api_key else {}
    base = config.url.rstrip("/")
    listed = ask(f"{base}/collections", seconds, headers, config.ca_file)
    if listed.status in {_UNAUTHORISED, _FORBIDDEN}:
        return Finding("failed", f"{base} refuses the key", "set QDRANT_API_KEY to one that may write there")
    names = _collection_names(listed.body)
    if listed.status != _OK or names is None:
        found = f"{base} does not answer as Qdrant (HTTP {listed.status})"
        return Finding("failed", found, "look at QDRANT_URL")
    told = ask(base, seconds, headers, config.ca_file).body
    version = str(told.get("version", "")) if isinstance(told, dict) else ""
    if version and _numbers(version) < _LEAST_QDRANT:
        return Finding("failed", f"{base} is version {version}", "upgrade it to 1.16 or later")
    state = "is there" if config.collection in names else "is made by the first crawl"
    return Finding("ok", f"{base}, version {version or 'unknown'}; {config.collection} {state}")


def _collection_names(body: Any) -> set[str] | None:
    """The names of the collections; None where the answer is not Qdrant's. An alias is not among them."""
    try:
        return {str(each["name"]) for each in body["result"]["collections"]}
    except (TypeError, KeyError):
        return None


def _numbers(version: str) -> tuple[int, ...]:
    """The first two numbers; (0,) where there is none."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0,)
