"""Exports of FireCrawl: one JSON file of scraped pages (specification 003)."""
