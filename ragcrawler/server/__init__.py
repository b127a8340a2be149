"""The search page, the API and the tools for language models, over one open collection."""
