"""How fast each host may be asked, and which hosts keep failing."""
