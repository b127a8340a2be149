"""Opens the models that the configuration and a collection name."""
