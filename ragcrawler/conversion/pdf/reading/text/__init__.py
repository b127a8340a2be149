"""How the words of a page stand: characters, words, lines."""
