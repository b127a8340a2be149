"""Format hits and answers for terminals and as JSON."""
