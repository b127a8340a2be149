"""Extensions of files that a crawl does not download: Scrapy's list, without those that have a converter."""

from scrapy.linkextractors import IGNORED_EXTENSIONS

from ragcrawler.conversion import READABLE_EXTENSIONS

IGNORED = frozenset(IGNORED_EXTENSIONS) - READABLE_EXTENSIONS
