"""Commands that ask a collection, and measure its answers."""
