"""Which names are registered, and which are public suffixes: by the list that the library carries."""

from urllib.parse import urlsplit

from tldextract import TLDExtract

# Neither the network nor a cache on the disk.
SUFFIXES = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def registered_domain(url: str) -> str:
    """`example.co.uk` for `http://a.b.example.co.uk/`; the host where it is an address or a suffix itself."""
    host = urlsplit(url).hostname or ""
    found = SUFFIXES(host)
    return f"{found.domain}.{found.suffix}" if found.domain and found.suffix else host
