import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from ragcrawler.urls.identity import document_id


def test_an_id_is_the_first_half_of_the_urls_sha_256() -> None:
    url = "https://docs.example.org/"
    assert document_id(url) == hashlib.sha256(url.encode()).hexdigest()[:32]


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="ascii")), unique=True))
def test_different_urls_have_different_ids(urls: list[str]) -> None:
    assert len({document_id(url) for url in urls}) == len(urls)
