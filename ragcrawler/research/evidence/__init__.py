"""What a page says: numbered sentences, values found in them, and facts."""
