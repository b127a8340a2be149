"""Where Scrapy's cache keeps its responses."""

import logging
import sqlite3

from scrapy import Request, Spider
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.settings import BaseSettings
from w3lib.http import headers_dict_to_raw, headers_raw_to_dict

from ragcrawler.config.crawling.response_cache import CacheConfig
from ragcrawler.run.meta_keys import PAGE_RESOURCE
from ragcrawler.run.pages.response_store import ResponseStore, StoredResponse

logger = logging.getLogger(__name__)

_PERSONAL_HEADERS = {b"set-cookie", b"set-cookie2", b"www-authenticate", b"authentication-info"}


class SqliteCacheStorage:
    """One file in `OUTPUT_DIR`, with bounds on age and size.

    A cache that fails costs transfers, not pages: it is left alone for the rest of the crawl.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._config = CacheConfig.from_settings(settings)
        self._store: ResponseStore | None = None

    def open_spider(self, spider: Spider) -> None:
        self._fingerprinter = spider.crawler.request_fingerprinter
        try:
            self._store = ResponseStore(self._config.path)
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)

    def close_spider(self, spider: Spider) -> None:  # noqa: ARG002 - Scrapy's signature
        """Bring the file within its bounds and close it."""
        if self._store is None:
            return
        try:
            self._store.prune(max_bytes=self._config.max_bytes, max_age_seconds=self._config.max_age_seconds)
        except sqlite3.Error as error:
            self._give_up(error)
        else:
            self._store.close()

    def retrieve_response(self, spider: Spider, request: Request) -> Response | None:  # noqa: ARG002 - likewise
        """The stored response, None where there is none."""
        try:
            stored = self._store.get(self._key(request)) if self._store else None
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        if stored is None:
            return None
        headers = Headers(headers_raw_to_dict(stored.headers))
        kind = responsetypes.from_args(headers=headers, url=request.url, body=stored.body)
        return kind(url=request.url, status=200, headers=headers, body=stored.body)

    def store_response(self, spider: Spider, request: Request, response: Response) -> None:  # noqa: ARG002 - likewise
        """Store a response without what is meant for one visitor."""
        try:
            if self._store:
                self._store.put(
                    self._key(request), StoredResponse(_headers(response), response.body, _page(request))
                )
        except sqlite3.Error as error:
            self._give_up(error)

    def refresh_response(self, request: Request, response: Response) -> None:
        """Keep a response that the site confirmed."""
        try:
            if self._store:
                self._store.refresh(self._key(request), _headers(response), _page(request))
        except sqlite3.Error as error:
            self._give_up(error)

    def _key(self, request: Request) -> bytes:
        return bytes(self._fingerprinter.fingerprint(request))

    def _give_up(self, error: Exception) -> None:
        logger.warning("%s: %s: unchanged pages are transferred again", self._config.path, error)
        store, self._store = self._store, None
        if store:
            store.close()


def _page(request: Request) -> str:
    url: str = request.meta.get(PAGE_RESOURCE, request.url)
    return url


def _headers(response: Response) -> bytes:
    headers = response.headers.items()
    kept = {name: values for name, values in headers if name.lower() not in _PERSONAL_HEADERS}
    return headers_dict_to_raw(kept) or b""
