"""Rich Text Format as tokens.

Format: Rich Text Format (RTF) Specification, version 1.9.1.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})? ?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|[\r\n]+|(?P<text>[^\\{}\r\n]+)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A control word with its number, a byte of text, a brace, or a text.

    Attributes:
        kind: "word", "byte", "sign", "brace" or "text".
        value: the word, the sign or the brace.
        number: of a word, None where it has none.
        data: the bytes of a text.
    """

    kind: str
    value: str
    number: int | None = None
    data: bytes = b""


def read_tokens(body: bytes) -> Iterator[Token]:
    r"""The tokens in order; binary data (`\bin`) is left out."""
    place = 0
    while found := _TOKEN.search(body, place):
        place = found.end()
        kind = found.lastgroup if found["word"] is None else "word"
        if kind == "word":
            number = int(found["number"]) if found["number"] else None
            word = found["word"].decode("ascii")
            if word == "bin":
                place += max(number or 0, 0)
            else:
                yield Token("word", word, number)
        elif kind == "byte":
            yield Token("byte", "", data=bytes([int(found["byte"], 16)]))
        elif kind == "text":
            yield Token("text", "", data=found["text"])
        elif kind is not None:
            yield Token(kind, found[kind].decode("latin-1"))
