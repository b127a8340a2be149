"""The usage of a call, and its cost."""

from dataclasses import dataclass

MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more calls, as the provider counted them.

    Attributes:
        input_tokens: read, cached ones included.
        output_tokens: written.
        cached_input_tokens: of the input, those that the provider had in its prompt cache.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
        )


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, which are micro-dollars for one.

    Attributes:
        input_tokens: of each token read that was not cached.
        output_tokens: of each token written.
        cached_input_tokens: of each token read from the provider's cache.
    """

    input_tokens: float = 0.0
    output_tokens: float = 0.0
    cached_input_tokens: float = 0.0

    def micro_dollars(self, usage: Usage) -> int:
        """The cost of a usage in millionths of a US dollar, rounded up."""
        fresh = usage.input_tokens - usage.cached_input_tokens
        cost = (
            fresh * self.input_tokens
            + usage.output_tokens * self.output_tokens
            + usage.cached_input_tokens * self.cached_input_tokens
        )
        return -int(-cost // 1)
