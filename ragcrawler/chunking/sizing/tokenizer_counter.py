"""Counting with a model's own `tokenizer.json`."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from tokenizers import Tokenizer

_WITHOUT_LIMIT = 512
# Documents of one site share most of their words: remembering so many saves most of the work for 10 MB.
_REMEMBERED = 100_000
_WORD_CHARACTERS = 24


class TokenizerCounter:
    """Counts with the `tokenizers` library, its truncation and padding off.

    Args:
        path: the `tokenizer.json`, or a folder that holds one.
        limit_tokens: the model's input with its special tokens; without it the file's own truncation decides,
            and 512 where it has none. Some files are narrower than their model: say it where you know it.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is no tokenizer, or the limit leaves no room for text.
    """

    def __init__(self, path: str | Path, *, limit_tokens: int | None = None) -> None:
        file = Path(path)
        if file.is_dir():
            file = file / "tokenizer.json"
        if not file.is_file():
            raise FileNotFoundError(f"no tokenizer at {str(path)!r}: give the path of a tokenizer.json")
        described = file.read_text(encoding="utf-8")
        try:
            self._tokenizer = Tokenizer.from_str(described)
        except Exception as error:
            raise ValueError(f"{str(file)!r} is no tokenizer.json: {error}") from error
        truncation = self._tokenizer.truncation
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        whole = limit_tokens or (truncation["max_length"] if truncation else _WITHOUT_LIMIT)
        self._limit = whole - self._tokenizer.num_special_tokens_to_add(is_pair=False)
        if self._limit < 1:
            raise ValueError(
                f"limit_tokens={limit_tokens} leaves no room beside the special tokens: raise it"
            )
        self._known: dict[str, int] = {}
        self.additive = _is_additive(json.loads(described))

    @property
    def limit(self) -> int:
        """Tokens of text that the model takes."""
        return self._limit

    @property
    def special_tokens(self) -> int:
        """Tokens that the model adds to each text."""
        return self._tokenizer.num_special_tokens_to_add(is_pair=False)

    def count(self, text: str) -> int:
        return self.count_batch([text])[0]

    def count_batch(self, texts: Sequence[str]) -> list[int]:
        known = self._known
        new = [text for text in texts if text not in known]
        counts = dict(zip(new, self._sizes(new), strict=True))
        room = _REMEMBERED - len(known)
        known.update(
            islice(
                ((text, size) for text, size in counts.items() if len(text) <= _WORD_CHARACTERS), max(room, 0)
            )
        )
        return [known[text] if text in known else counts[text] for text in texts]

    def _sizes(self, texts: list[str]) -> list[int]:
        try:
            encoded = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        except TypeError:
            # Half of a surrogate pair is no Unicode text; the model would see a replacement character.
            whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
            encoded = self._tokenizer.encode_batch_fast(whole, add_special_tokens=False)
        return [len(encoding) for encoding in encoded]


def _is_additive(description: dict[str, dict[str, str] | None]) -> bool:
    """WordPiece behind BERT's pre-tokenizer never looks across white space."""
    model = description.get("model") or {}
    pre_tokenizer = description.get("pre_tokenizer") or {}
    return model.get("type") == "WordPiece" and pre_tokenizer.get("type") == "BertPreTokenizer"
