"""What a crawl holds of single pages between its components."""
