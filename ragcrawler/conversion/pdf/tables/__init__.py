"""Tables of a PDF, with and without rules."""
