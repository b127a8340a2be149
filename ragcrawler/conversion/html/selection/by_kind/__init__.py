"""What holds on some kinds of pages alone."""
