"""`Link: <...>; rel=canonical` gives the address of what has no markup."""

import pytest

from ragcrawler.spiders.responses.parsed_response import canonical_of_header


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ("", ()),
        ('<https://a.org/guide>; rel="canonical"', ("https://a.org/guide",)),
        ("</guide>;rel=canonical", ("https://a.org/guide",)),
        ('<guide>; title="x"; rel="alternate canonical"', ("https://a.org/docs/guide",)),
        ("</style.css>; rel=preload; as=style, </guide>; rel=canonical", ("https://a.org/guide",)),
        ('</a>; rel="canonical", </b>; rel="canonical"', ("https://a.org/a", "https://a.org/b")),
        ("</a>; rel=canonicals", ()),
        ("<https://u:p@a.org/>; rel=canonical", ()),
        ("</guide; rel=canonical", ()),
    ],
)
def test_a_header_names_these(value: str, urls: tuple[str, ...]) -> None:
    assert canonical_of_header(value, "https://a.org/docs/file.pdf") == urls
