"""Importing this imports what commands and crawls do, but for the settings, which read the environment."""

import importlib
import pkgutil
import sys

PACKAGES = (
    "ragcrawler.commands",
    "ragcrawler.extensions",
    "ragcrawler.maintenance",
    "ragcrawler.middlewares",
    "ragcrawler.pipelines",
    "ragcrawler.retrieval",
    "ragcrawler.spiders",
    "ragcrawler.stores.qdrant_embedded",
    "scrapy.commands",
    "scrapy.downloadermiddlewares",
    "scrapy.extensions",
    "scrapy.spidermiddlewares",
)
MODULES = (
    "dotenv",
    "qdrant_edge",
    "ragcrawler.bootstrap.retriever",
    "ragcrawler.conversion.html",
    "ragcrawler.run.resources",
    "ragcrawler.scheduler",
    "ragcrawler.stores.exports",
    "scrapy.cmdline",
    "scrapy.core.downloader.handlers.http11",
    "scrapy.crawler",
    "scrapy.dupefilters",
    "scrapy.squeues",
)
# The first warns, few need the others.
SKIPPED = ("statsmailer", "javascript.browser.session", "javascript.browser.page_visit")
CHOSEN_LATER = ("ragcrawler.settings", "ragcrawler.environment", "twisted.internet.reactor")

for name in MODULES:
    importlib.import_module(name)
for name in PACKAGES:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        if not module.name.endswith(SKIPPED):
            importlib.import_module(module.name)
# The list of public suffixes is read, and made into a tree, for the first name.
importlib.import_module("ragcrawler.middlewares.public_suffixes").registered_domain("http://a.example/")
for name in CHOSEN_LATER:
    if name in sys.modules:
        raise ImportError(f"{name} was imported before a command could choose it")
