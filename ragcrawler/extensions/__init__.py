"""What listens to a crawl: outcomes, progress, report, feed, log."""
