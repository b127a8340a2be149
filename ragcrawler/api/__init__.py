"""Crawling and searching from a script or a notebook: `ragcrawler.crawl` and `ragcrawler.search`."""
