"""Keep store and catalogue in step with the documents of a crawl."""
