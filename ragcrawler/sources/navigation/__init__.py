"""The order and titles of a folder's pages, from the files of documentation generators."""
