"""One run of a crawl: its folder, failures, resources and report."""
