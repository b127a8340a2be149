"""What a search changes in the settings of its crawl."""

from scrapy.settings import Settings

from ragcrawler.items import Document, FoundUrl

_LIST = "%(run_folder)s/found.jsonl"
_DOCUMENTS = "%(run_folder)s/documents.jsonl"
_JSON_LINES = {"format": "jsonlines", "encoding": "utf-8", "store_empty": True}


def set_up_feeds(settings: Settings, *, follows: bool) -> None:
    """Feeds hold the found URLs; documents go where those of every crawl go."""
    given = {str(uri): dict(options) for uri, options in settings.getdict("FEEDS").items()}
    documents = given.pop(_DOCUMENTS, _JSON_LINES)
    lists = given or {_LIST: _JSON_LINES}
    feeds = {uri: {"item_classes": [FoundUrl], **options} for uri, options in lists.items()}
    if follows:
        feeds[_DOCUMENTS] = {**documents, "item_classes": [Document]}
    settings.set("FEEDS", feeds, priority="cmdline")  # where `-O` stands as well


def switch_off_pipelines(settings: Settings) -> None:
    """A list of URLs needs neither models nor the collection."""
    settings.set("ITEM_PIPELINES", {}, priority="cmdline")
