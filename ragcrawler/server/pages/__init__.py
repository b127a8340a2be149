"""The search page: HTML made on the server, which works without scripts."""
