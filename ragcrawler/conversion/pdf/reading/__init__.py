"""Read what is on the pages of a PDF."""
