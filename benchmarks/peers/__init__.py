"""The program beside its peers: same pages, questions, models and search; other extraction and splitting."""
