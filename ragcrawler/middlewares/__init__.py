"""Between engine and downloader."""
