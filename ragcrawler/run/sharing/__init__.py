"""A crawl that several processes share: how each begins and ends, and what it leaves for the one report."""
