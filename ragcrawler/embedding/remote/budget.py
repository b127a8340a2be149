"""The budget of one run at a service that costs money."""

from ragcrawler.embedding.remote.errors import EmbeddingBudgetError


class RequestBudget:
    """Counts requests and tokens, retries included, and refuses what goes beyond.

    Tokens are estimated before a request and set right by what the service counted.

    Args:
        most_requests: 0 is without a limit.
        most_tokens: likewise.

    Attributes:
        requests: made so far.
        tokens: spent so far.
    """

    def __init__(self, most_requests: int, most_tokens: int) -> None:
        self._most_requests = most_requests
        self._most_tokens = most_tokens
        self.requests = 0
        self.tokens = 0

    def spend(self, tokens: int) -> None:
        """Enter a request before it is made.

        Raises:
            EmbeddingBudgetError: there is not enough left for it.
        """
        if self._most_requests and self.requests + 1 > self._most_requests:
            raise EmbeddingBudgetError(
                f"the {self._most_requests} requests of EMBEDDING_BUDGET_REQUESTS are made: raise it, and"
                " crawl again for the rest"
            )
        if self._most_tokens and self.tokens + tokens > self._most_tokens:
            raise EmbeddingBudgetError(
                f"{self.tokens} of the {self._most_tokens} tokens of EMBEDDING_BUDGET_TOKENS are spent, the"
                f" next request takes about {tokens}: raise it, and crawl again for the rest"
            )
        self.requests += 1
        self.tokens += tokens

    def correct(self, estimated: int, counted: int | None) -> None:
        """Set the estimate of a request right, where the service counted."""
        if counted is not None:
            self.tokens += counted - estimated
