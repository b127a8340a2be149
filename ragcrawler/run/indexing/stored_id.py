"""Finds the id under which the document of a page is stored."""

from dataclasses import replace

from ragcrawler.catalogue import DocumentCatalogue
from ragcrawler.items import Page
from ragcrawler.urls.identity import exact_document_id, is_same_page


def with_stored_id(catalogue: DocumentCatalogue, page: Page) -> Page:
    """The page with the id of the document that has its URL: it stays the same in later crawls.

    An id is the hash of a URL's key. Two pages of one key, and pages that had another key before,
    keep the ids under which they were stored. A new page never gets the id of another page's document.
    """
    known = catalogue.by_url(page.final_url)
    if known is not None and known.url == page.final_url:
        return replace(page, id=known.document_id)
    holder = catalogue.get(page.id)
    if holder is not None and not is_same_page(holder.url, page.final_url):
        return replace(page, id=exact_document_id(page.final_url))
    return page
