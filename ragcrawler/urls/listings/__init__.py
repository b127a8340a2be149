"""Files that name the pages of a site: sitemaps, feeds, llms.txt."""

from ragcrawler.urls.listings.listing import ListedUrl, Listing, ListingLimits
from ragcrawler.urls.listings.read import read_listing

__all__ = ["ListedUrl", "Listing", "ListingLimits", "read_listing"]
