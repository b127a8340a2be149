"""Tools for language models, by the Model Context Protocol: the same services, within a budget of tokens."""
