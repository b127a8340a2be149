"""A language model reads pages: it points at sentences, and the facts are made of our own text."""
