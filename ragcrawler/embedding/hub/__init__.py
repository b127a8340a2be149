"""Models from the model hub: names, files, reachability."""
