"""EPUB, and what it shares with office files: both are zip archives of XML."""
