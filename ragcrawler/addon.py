"""Our pipelines in any Scrapy project: `ADDONS = {"ragcrawler.addon.Ragcrawler": 500}` in its settings."""

from scrapy.settings import BaseSettings, default_settings
from scrapy.utils.misc import load_object

from ragcrawler import settings as own

_PRIORITY = "addon"
# Behind the pipelines of the project, which see their own items and not our documents.
_PIPELINES = {
    "ragcrawler.pipelines.convert.ConvertPipeline": 910,
    "ragcrawler.pipelines.chunk.ChunkPipeline": 920,
    "ragcrawler.pipelines.summarize.SummarizePipeline": 930,
    "ragcrawler.pipelines.embed.EmbedPipeline": 940,
    "ragcrawler.pipelines.upsert.UpsertPipeline": 950,
}
_EXTENSIONS = {
    "ragcrawler.extensions.outcomes.OutcomesExtension": 10,
    "ragcrawler.extensions.activity.ActivityExtension": 12,
    "ragcrawler.extensions.trace.TraceExtension": 15,
    "ragcrawler.extensions.report.ReportExtension": 990,
}
_FEEDS = "scrapy.extensions.feedexport.FeedExporter"
_OWN_FEEDS = "ragcrawler.extensions.feed.DocumentFeeds"
# Scrapy's, of which the pipelines need another value: pages in memory, and log lines without whole pages.
_NEEDED = ("SCRAPER_SLOT_MAX_ACTIVE_SIZE", "LOG_FORMATTER")


class Ragcrawler:
    """Indexes the pages of a project that has spiders, middlewares and manners of its own."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Add pipelines and extensions, and our settings where the project does not set them."""
        for name, value in vars(own).items():
            if name.isupper() and (name in _NEEDED or name not in default_settings.__all__):
                settings.set(name, value, _PRIORITY)
        for path, number in _PIPELINES.items():
            settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", load_object(path), number)
        for path, number in _EXTENSIONS.items():
            settings.setdefault_in_component_priority_dict("EXTENSIONS", load_object(path), number)
        _replace_feeds(settings)


def _replace_feeds(settings: BaseSettings) -> None:
    """Let our feeds stand where Scrapy's would, unless the project has switched those off."""
    feeds = load_object(_FEEDS)
    chosen = settings.getdict("EXTENSIONS").items()
    if not any(load_object(each) is feeds and number is None for each, number in chosen):
        settings.set_in_component_priority_dict("EXTENSIONS", feeds, None)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", load_object(_OWN_FEEDS), 0)
