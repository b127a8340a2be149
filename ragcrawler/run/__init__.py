"""One run of a crawl: its folder, what became of its pages, its heavy parts, its report."""
