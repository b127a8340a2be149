"""From words on a page to blocks in reading order."""
