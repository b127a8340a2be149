"""URLs from search engines: what each is asked, how its answer is read, and in which state it ends."""
