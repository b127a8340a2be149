"""Ways of making chunks, by name."""
