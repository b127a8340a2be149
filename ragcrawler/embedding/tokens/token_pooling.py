"""Which token vectors of a text are kept, and how neighbours become one."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ragcrawler.embedding.tokens.token_bytes import token_bytes

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MOST_VECTORS = 40
"""Of one text, and fewer where they would take more than `MOST_BYTES`."""

MOST_BYTES = 16_384
"""Of the vectors of one text: with 384 dimensions 40 take 15,360."""

_MOST_OF_A_QUESTION = 64
_GROUP = 2
_CONTINUED = "##"  # begins a token that goes on with a word, in WordPiece's vocabularies


@dataclass(frozen=True, slots=True)
class TokenPooling:
    """Keeps the vectors of words that say something, and averages neighbours.

    Attributes:
        counts: by the number of a token, whether it says something.
        continues: by the number of a token, whether it goes on with the word before.
    """

    counts: NDArray[np.bool_]
    continues: NDArray[np.bool_]

    @classmethod
    def of(cls, tokenizer: "Tokenizer", stop_words: Collection[str]) -> "TokenPooling":
        """The pooling of a model with this tokenizer; stop words, punctuation and special tokens go."""
        vocabulary = tokenizer.get_vocab(with_added_tokens=True)
        special = {each.content for each in tokenizer.get_added_tokens_decoder().values() if each.special}
        size = max(vocabulary.values(), default=-1) + 1
        counts, continues = np.zeros(size, bool), np.zeros(size, bool)
        for token, number in vocabulary.items():
            continues[number] = token.startswith(_CONTINUED)
            has_letters = any(character.isalnum() for character in token)
            counts[number] = has_letters and token not in special and token.lower() not in stop_words
        return cls(counts, continues)

    def of_document(self, states: NDArray[np.float32], numbers: NDArray[np.int64]) -> tuple[bytes, ...]:
        """Pairs of neighbours averaged, and more than two where there would be too many.

        Args:
            states: a row a token, without padding.
            numbers: the tokens' own.
        """
        kept = self._kept(states, numbers)
        most = max(1, min(MOST_VECTORS, MOST_BYTES // kept.shape[1]))
        return _averaged(kept, min(most, -(-len(kept) // _GROUP)))

    def of_question(self, states: NDArray[np.float32], numbers: NDArray[np.int64]) -> tuple[bytes, ...]:
        """Each token by itself; neighbours averaged where a question is as long as a page."""
        kept = self._kept(states, numbers)
        return _averaged(kept, min(_MOST_OF_A_QUESTION, len(kept)))

    def _kept(self, states: NDArray[np.float32], numbers: NDArray[np.int64]) -> NDArray[np.float32]:
        # "do" of "docker" is no stop word: the next token goes on with it.
        begins_more = np.append(self.continues[numbers[1:]], False)
        letters = states[self.counts[numbers] | begins_more & ~self.continues[numbers]]
        lengths = np.linalg.norm(letters, axis=1, keepdims=True)
        directions: NDArray[np.float32] = letters / np.maximum(lengths, 1e-12)
        return directions


def _averaged(vectors: NDArray[np.float32], count: int) -> tuple[bytes, ...]:
    """So many averages of neighbours, of groups as equal as can be."""
    if not len(vectors):
        return ()
    starts = np.linspace(0, len(vectors), count + 1).round().astype(int)[:-1]
    return token_bytes(np.add.reduceat(vectors, starts, axis=0))
