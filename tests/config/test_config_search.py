import pytest

from ragcrawler.bootstrap.models.rerankers import open_reranker
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.errors import SettingError
from ragcrawler.config.models.language_model import language_model_config
from ragcrawler.config.models.search import hybrid_weights, search_options
from ragcrawler.embedding.config import EmbeddingConfig
from ragcrawler.llm.protocol import LanguageModelError
from ragcrawler.retrieval.reranking.cross_encoder import CrossEncoderReranker
from ragcrawler.retrieval.reranking.rerank_by_model import ModelReranker
from ragcrawler.retrieval.search.search_options import HYBRID_WEIGHTS, SearchOptions


def test_weights_are_read_from_one_line() -> None:
    assert hybrid_weights("dense=1, bm25=0.5,sparse=0") == {"dense": 1.0, "bm25": 0.5, "sparse": 0.0}
    assert hybrid_weights("bm25=1,document=0.4") == {"bm25": 1.0, "document": 0.4}


@pytest.mark.parametrize(
    "written",
    [
        "",
        "dense",
        "dense=x",
        "colour=1",
        "dense=-1",
        "dense=inf",
        "dense=0",
        "document=1",
        "document=-1,bm25=1",
    ],
)
def test_weights_that_cannot_be_are_refused(written: str) -> None:
    with pytest.raises(SettingError, match="HYBRID_WEIGHTS is"):
        hybrid_weights(written)


def test_the_settings_say_what_the_options_say_by_themselves() -> None:
    assert search_options(project_settings()) == SearchOptions()
    assert hybrid_weights(str(project_settings()["HYBRID_WEIGHTS"])) == HYBRID_WEIGHTS


def test_fusion_is_chosen_by_settings() -> None:
    options = search_options(project_settings(HYBRID_FUSION="dbsf", HYBRID_RRF_K=10))
    assert (options.fusion, options.k_rrf) == ("dbsf", 10)
    with pytest.raises(SettingError, match="HYBRID_FUSION is 'best'"):
        search_options(project_settings(HYBRID_FUSION="best"))


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"RERANKER": ""}, type(None)),
        ({"RERANKER": "cross-encoder"}, CrossEncoderReranker),
        ({"RERANKER": "llm", "LLM_MODEL": "openai/some-model", "LLM_API_KEY": "x"}, ModelReranker),
    ],
)
def test_a_reranker_is_opened_by_its_name(settings: dict[str, str], kind: type) -> None:
    reranker = open_reranker(project_settings(**settings), EmbeddingConfig())
    assert isinstance(reranker, kind)


def test_a_reranker_that_cannot_be_is_refused() -> None:
    with pytest.raises(SettingError, match="RERANKER is 'magic'"):
        open_reranker(project_settings(RERANKER="magic"), EmbeddingConfig())
    with pytest.raises(LanguageModelError, match="set LLM_MODEL"):
        open_reranker(project_settings(RERANKER="llm", LLM_MODEL=""), EmbeddingConfig())


def test_the_language_model_is_read_and_its_key_never_shown() -> None:
    settings = {"LLM_MODEL": "m", "LLM_BASE_URL": "http://localhost:1/v1", "LLM_API_KEY": "secret-key"}
    config = language_model_config(project_settings(**settings, LLM_OUTPUT="json", LLM_ATTEMPTS="3"))
    assert (config.model, config.base_url, config.api_key) == ("m", "http://localhost:1/v1", "secret-key")
    assert (config.output, config.attempts) == ("json", 3)
    assert "secret-key" not in repr(config)
    with pytest.raises(SettingError, match="LLM_OUTPUT is 'xml'"):
        language_model_config(project_settings(LLM_OUTPUT="xml"))
