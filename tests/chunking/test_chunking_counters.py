"""Counting tokens: as the model does, without its special tokens."""

import sys
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from ragcrawler.chunking import ChunkingConfig, TokenCounter, TokenizerCounter, chunk_markdown, open_counter


def test_the_files_truncation_and_padding_are_off(tokenizer_file: Path) -> None:
    counter = TokenizerCounter(tokenizer_file)

    assert counter.count("word " * 1000) == 1000
    assert counter.count_batch(["a b c", ""]) == [3, 0]


@pytest.mark.parametrize(("limit_tokens", "limit"), [(None, 126), (256, 254)])
def test_the_limit_leaves_room_for_the_special_tokens(
    tokenizer_file: Path, limit_tokens: int | None, limit: int
) -> None:
    assert TokenizerCounter(tokenizer_file, limit_tokens=limit_tokens).limit == limit


def test_a_folder_stands_for_the_tokenizer_in_it(tokenizer_file: Path) -> None:
    assert TokenizerCounter(tokenizer_file.parent).count("one two") == 2


def test_counting_again_gives_the_same(tokenizer_file: Path) -> None:
    counter = TokenizerCounter(tokenizer_file)
    texts = ["tokenizers", "unbelievably", "tokenizers", "x" * 80]

    assert counter.count_batch(texts) == counter.count_batch(texts) == [counter.count(text) for text in texts]


def test_half_a_surrogate_pair_is_counted_as_what_stands_for_it(wordpiece: TokenizerCounter) -> None:
    assert wordpiece.count("a \ud800 b") == wordpiece.count("a ? b")


def test_a_missing_file_and_a_wrong_one_are_said_so(tmp_path: Path) -> None:
    wrong = tmp_path / "tokenizer.json"
    wrong.write_text("{}")

    with pytest.raises(FileNotFoundError, match="no tokenizer at"):
        TokenizerCounter(tmp_path / "none.json")
    with pytest.raises(ValueError, match=r"is no tokenizer\.json"):
        TokenizerCounter(wrong)


def test_a_limit_without_room_is_refused(tokenizer_file: Path) -> None:
    with pytest.raises(ValueError, match="limit_tokens=2 leaves no room"):
        TokenizerCounter(tokenizer_file, limit_tokens=2)


def test_only_word_pieces_are_said_to_add_up(tokenizer_file: Path, tmp_path: Path) -> None:
    pairs = Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "ab": 2}, merges=[("a", "b")]))
    pairs.pre_tokenizer = pre_tokenizers.Whitespace()
    pairs.save(str(tmp_path / "pairs.json"))

    assert TokenizerCounter(tokenizer_file).additive
    assert not TokenizerCounter(tmp_path / "pairs.json").additive


def test_a_counter_can_be_made_to_allow_what_is_asked_of_it(tokenizer_file: Path) -> None:
    assert open_counter(str(tokenizer_file), at_least=400).limit == 400
    assert open_counter(str(tokenizer_file), at_least=100).limit == 126


def test_tiktoken_counts_as_openai_s_models_do() -> None:
    counter = open_counter("tiktoken:cl100k_base")
    assert counter.limit == 8191
    assert counter.count_batch(["tiktoken is great!", "<|endoftext|>"]) == [6, 7]


def test_an_encoding_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no_such_encoding"):
        open_counter("tiktoken:no_such_encoding")


def test_a_table_that_cannot_be_downloaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with pytest.raises(ValueError, match=r"p50k_base could not be downloaded .*set TIKTOKEN_CACHE_DIR"):
        open_counter("tiktoken:p50k_base")


def test_tiktoken_is_named_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(ImportError, match=r"pip install 'ragcrawler\[tiktoken\]'"):
        open_counter("tiktoken:cl100k_base")


def test_contents_are_counted_anew_where_words_do_not_add_up(seams: TokenCounter) -> None:
    markdown = "\n".join(f"line {n} of the text" for n in range(60))
    config = ChunkingConfig(target_tokens=30, max_tokens=30, min_tokens=0, overlap_tokens=0)

    chunks = chunk_markdown(markdown, config=config, tokens=seams)

    assert [chunk.token_count for chunk in chunks] == [seams.count(chunk.content) for chunk in chunks]
    assert max(chunk.token_count for chunk in chunks) <= 30
    assert "\n".join(chunk.content for chunk in chunks) == markdown


def test_the_models_limit_bounds_the_content_too(tokenizer_file: Path) -> None:
    counter = TokenizerCounter(tokenizer_file, limit_tokens=34)

    chunks = chunk_markdown("word " * 100, config=ChunkingConfig(), tokens=counter)

    assert max(chunk.token_count for chunk in chunks) <= 32


def test_what_is_embedded_fits_the_model_also_where_another_counter_sizes_the_chunks(
    words: TokenCounter, tokenizer_file: Path
) -> None:
    model = TokenizerCounter(tokenizer_file, limit_tokens=66)
    markdown = "# Guide\n\n" + " ".join(f"zqx{n}vkw." for n in range(60))
    config = ChunkingConfig(target_tokens=50, max_tokens=50, min_tokens=0)

    chunks = chunk_markdown(markdown, config=config, tokens=words, embedding_tokens=model)

    assert [chunk.token_count for chunk in chunks] == [words.count(chunk.content) for chunk in chunks]
    assert max(model.count_batch([chunk.embed_text for chunk in chunks])) <= model.limit
    assert max(model.count_batch([chunk.content for chunk in chunks])) > model.limit // 2
    assert " ".join(chunk.content for chunk in chunks).split() == markdown.split()
