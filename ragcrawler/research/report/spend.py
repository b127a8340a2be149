"""The cost of a research, from the ledger of calls."""

from ragcrawler.llm.calls.ledger import AccountSums

_MICRO = 1_000_000


def spend_counts(sums: AccountSums) -> dict[str, float]:
    """Calls, tokens and dollars, by the names that reports show."""
    return {
        "calls of the language model": sums.calls,
        "tokens": sums.tokens,
        "US dollars": round(sums.micro_dollars / _MICRO, 4),
    }
