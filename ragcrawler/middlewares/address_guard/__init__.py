"""Keep requests away from private addresses."""
