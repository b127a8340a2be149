"""The memory of a crawl about its URLs and hosts: in this process, in SQLite, in Redis."""
