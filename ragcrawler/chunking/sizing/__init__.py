"""Count tokens and fit units into chunks."""
