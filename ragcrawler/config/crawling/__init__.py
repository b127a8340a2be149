"""Configuration of what a crawl fetches, keeps and deletes."""
