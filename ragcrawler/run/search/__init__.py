"""The search for URLs in a crawl: engines are asked, what they find becomes items and seeds."""
