"""Extensions of files that a crawl does not download: Scrapy's and ours, but those that have a converter."""

from scrapy.linkextractors import IGNORED_EXTENSIONS

from ragcrawler.conversion import READABLE_EXTENSIONS
from ragcrawler.conversion.detection.media_type import UNREADABLE_EXTENSIONS

IGNORED = (frozenset(IGNORED_EXTENSIONS) | UNREADABLE_EXTENSIONS) - READABLE_EXTENSIONS
