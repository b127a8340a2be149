"""What a crawl remembers of its URLs and hosts: in memory, in SQLite, in Redis."""
