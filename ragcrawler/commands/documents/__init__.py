"""Commands that work on single documents."""
