"""Which links a research follows, and in what order."""
