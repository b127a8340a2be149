"""From docling's documents to Markdown and pictures."""
