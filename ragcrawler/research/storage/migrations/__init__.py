"""The steps by which the schema of researches came to what it is."""
