"""Configuration of chunking, the models, and what asks them."""
