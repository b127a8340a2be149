"""One process owns an embedded collection, and lets other processes of this user read and write it."""
