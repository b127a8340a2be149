"""What a response says: its page, links and robots tags, or why there is none."""
