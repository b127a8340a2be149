"""The API over HTTP: a table of endpoints, and the description that follows from it."""
