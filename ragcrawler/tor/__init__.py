"""Several Tor clients on this machine, each behind an HTTP proxy of its own."""
