"""Who may ask the server, how often, and what browsers may do with its answers."""
