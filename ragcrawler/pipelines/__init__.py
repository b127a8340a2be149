"""From page to point, one stage a file: convert, chunk, embed, upsert."""
