"""Commands about researches."""
