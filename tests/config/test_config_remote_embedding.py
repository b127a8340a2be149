"""The settings of a service that embeds: what they come to, and what is refused without showing a secret."""

from pathlib import Path

import pytest

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError

SERVICE = {
    "EMBEDDING_PROVIDER": "openai",
    "EMBEDDING_MODEL": "small",
    "EMBEDDING_URL": "http://localhost:8080/v1",
    "EMBEDDING_API_KEY": "sk-very-secret",
}


def configuration(**settings: object) -> Configuration:
    return Configuration.from_settings(project_settings(**settings))


def test_models_run_here_unless_a_provider_is_named() -> None:
    assert configuration().embedding.remote is None
    assert configuration(EMBEDDING_MODEL="bundled/x").dense_model == "bundled/x"


@pytest.mark.parametrize("name", ["small", "openai:small"])
def test_a_provider_s_model_is_known_by_both_names(name: str) -> None:
    assert configuration(**SERVICE | {"EMBEDDING_MODEL": name}).dense_model == "openai:small"


def test_every_setting_of_a_service_is_read() -> None:
    remote = configuration(
        **SERVICE,
        EMBEDDING_TOKENIZER="there/tokenizer.json",
        EMBEDDING_LIMIT_TOKENS="8191",
        EMBEDDING_REQUEST_TEXTS=7,
        EMBEDDING_BATCH_TOKENS=1000,
        EMBEDDING_BUDGET_TOKENS=5,
    ).embedding.remote
    assert remote is not None
    assert (remote.provider, remote.url, remote.api_key) == (
        "openai",
        SERVICE["EMBEDDING_URL"],
        SERVICE["EMBEDDING_API_KEY"],
    )
    assert remote.tokenizer == Path("there/tokenizer.json")
    assert (remote.limit_tokens, remote.request_texts, remote.request_tokens) == (8191, 7, 1000)
    assert (remote.most_tokens, remote.most_requests) == (5, 0)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("EMBEDDING_PROVIDER", "azure", "one of local, openai, cohere"),
        ("EMBEDDING_MODEL", "auto", "the name that EMBEDDING_PROVIDER=openai gives it"),
        ("EMBEDDING_URL", "localhost:8080", "an http or https address"),
        ("EMBEDDING_URL", "ftp://localhost/v1", "an http or https address"),
        ("EMBEDDING_URL", "https://me:hunter2@example.org/v1", "without a user or password"),
        ("EMBEDDING_API_KEY", "hunter2\n", "printable ASCII"),
        ("EMBEDDING_API_KEY", "hunter2 ", "without spaces around it"),
        ("EMBEDDING_LIMIT_TOKENS", 8, "at least 32"),
        ("EMBEDDING_REQUEST_TEXTS", -1, "at least 0"),
        ("EMBEDDING_REQUESTS_AT_ONCE", 0, "at least 1"),
        ("EMBEDDING_TIMEOUT_SECONDS", 0, "above 0"),
        ("EMBEDDING_RETRIES", -1, "at least 0"),
    ],
)
def test_what_cannot_be_is_refused_by_name_and_shows_no_secret(
    name: str, value: object, expected: str
) -> None:
    with pytest.raises(SettingError, match=rf"^{name} is .*{expected}") as caught:
        configuration(**SERVICE | {name: value})
    assert "hunter2" not in str(caught.value)


def test_cohere_needs_a_key_alone() -> None:
    found = configuration(EMBEDDING_PROVIDER="cohere", COHERE_API_KEY="co-key")
    remote = found.embedding.remote
    assert remote is not None
    assert found.dense_model == "cohere:embed-english-v3.0"
    assert (remote.api_key, remote.request_texts, remote.requests_per_minute) == ("co-key", 96, 100)
    assert (remote.limit_tokens, remote.url) == (512, "")


def test_what_is_set_wins_over_a_provider_s_own() -> None:
    found = configuration(
        EMBEDDING_PROVIDER="cohere",
        COHERE_API_KEY="co-key",
        EMBEDDING_API_KEY="other",
        EMBEDDING_MODEL="embed-v4.0",
        EMBEDDING_REQUEST_TEXTS=8,
        EMBEDDING_REQUESTS_PER_MINUTE=0,
    )
    remote = found.embedding.remote
    assert remote is not None
    assert found.dense_model == "cohere:embed-v4.0"
    assert (remote.api_key, remote.request_texts, remote.requests_per_minute) == ("other", 8, 0)


def test_more_texts_than_cohere_takes_are_refused() -> None:
    with pytest.raises(SettingError, match="at most the 96 of cohere"):
        configuration(EMBEDDING_PROVIDER="cohere", EMBEDDING_REQUEST_TEXTS=97)
