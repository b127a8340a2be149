"""Per host: the delay between requests, and the count of failures."""
