"""A login goes to its site alone, and is never repeated in a message."""

import pytest

from ragcrawler.urls.logins import LoginError, Logins

LOGINS = Logins.parse(
    '{"docs.example.org": "session=abc", "http://127.0.0.1:8000": "local=1"}',
    '{"DOCS.example.org": {"Authorization": "Bearer s3cret"}, "b.org:8443": {"X-Key": "k"}}',
)


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("https://docs.example.org/x?y", {"Authorization": "Bearer s3cret", "Cookie": "session=abc"}),
        ("http://docs.example.org/x", {}),
        ("https://www.docs.example.org/x", {}),
        ("https://docs.example.org.evil.org/", {}),
        ("https://docs.example.org:8443/", {}),
        ("https://b.org:8443/", {"X-Key": "k"}),
        ("https://b.org/", {}),
        ("http://127.0.0.1:8000/", {"Cookie": "local=1"}),
        ("https://127.0.0.1:8000/", {}),
    ],
)
def test_a_site_gets_its_own_login_and_no_other(url: str, headers: dict[str, str]) -> None:
    assert dict(LOGINS.of(url)) == headers


@pytest.mark.parametrize(
    ("cookies", "headers"),
    [
        ("s3cret", ""),
        ('["s3cret"]', ""),
        ('{"a.org": {"s3cret": 1}}', ""),
        ('{"a.org": "s3cret\\r\\nX: y"}', ""),
        ('{"a.org": ""}', ""),
        ('{"a.org/s3cret-path": "x"}', ""),
        ('{"user:s3cret@a.org": "x"}', ""),
        ("", '{"a.org": "s3cret"}'),
        ("", '{"a.org": {"s3cret name": "x"}}'),
        ("", '{"a.org": {"Host": "s3cret"}}'),
        ("", '{"a.org": {"X": "s3cret\\u0000"}}'),
        ("", '{"a.org": {"X": "s3crét"}}'),
    ],
)
def test_what_is_no_login_is_refused_without_repeating_it(cookies: str, headers: str) -> None:
    with pytest.raises(LoginError) as caught:
        Logins.parse(cookies, headers)
    assert "s3c" not in str(caught.value)


def test_a_login_does_not_show_when_printed() -> None:
    assert repr(LOGINS) == "Logins(for 3 sites)"
    assert not Logins.parse("", "")
