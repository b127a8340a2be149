"""Settings as typed, checked values."""
