"""From settings to working parts."""
