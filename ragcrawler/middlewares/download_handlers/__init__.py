"""Download over HTTP, with bounded headers and guarded name resolution."""
