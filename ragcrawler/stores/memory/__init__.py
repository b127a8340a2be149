"""The store in memory: exact search, for tests, trials and short-lived collections."""
