"""Parse robots.txt, robots meta tags and `X-Robots-Tag`."""
