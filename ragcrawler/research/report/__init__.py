"""The report of a research: a table, a graph and a text, in which every statement names its facts."""
