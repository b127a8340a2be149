"""How calls are made, and how much an account may spend."""

from dataclasses import dataclass, field

from ragcrawler.llm.calls.usage import MICRO, Price
from ragcrawler.llm.protocol import LanguageModelError


class BudgetSpentError(LanguageModelError):
    """The next call would break the budget; nothing was sent."""


@dataclass(frozen=True, slots=True)
class CallBudget:
    """Bounds of one account, 0 for none.

    Attributes:
        calls: requests sent.
        tokens: read and written.
        dollars: US dollars.
        setting: how the names of the settings begin that bound it; for messages.
    """

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    setting: str = ""

    @property
    def is_bounded(self) -> bool:
        """Whether there is any bound."""
        return bool(self.calls or self.tokens or self.dollars)

    def check(self, calls: int, tokens: int, micro_dollars: int) -> None:
        """Compare sums that include the call that is to be made.

        Raises:
            BudgetSpentError: one of them is over its bound.
        """
        bounds = (
            ("CALLS", calls, self.calls, f"{self.calls} calls", f"{calls} calls"),
            ("TOKENS", tokens, self.tokens, f"{self.tokens} tokens", f"{tokens} tokens"),
            (
                "USD",
                micro_dollars,
                round(self.dollars * MICRO),
                f"{self.dollars:g} US dollars",
                f"{micro_dollars / MICRO:.6f} US dollars",
            ),
        )
        for name, amount, bound, allowed, reached in bounds:
            if bound and amount > bound:
                setting = f"{self.setting}_{name}" if self.setting else "the budget"
                raise BudgetSpentError(
                    f"the budget of {allowed} is spent: the next call might make it {reached}; "
                    f"raise {setting} and run the same command again: what is paid is kept"
                )


@dataclass(frozen=True, slots=True)
class CallerConfig:
    """How calls are made.

    Attributes:
        concurrency: calls under way at once; also the most that a kill can let be paid twice.
        requests_per_minute: 0 is without a limit.
        tokens_per_minute: likewise.
        attempts: how often one call is sent until its answer is valid.
        retries: how often one is sent again because the service was busy or did not answer.
        longest_wait_seconds: that a service may ask for before the call counts as failed.
        price: of the model's tokens.
        budget: of the account.
    """

    concurrency: int = 4
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    attempts: int = 2
    retries: int = 5
    longest_wait_seconds: float = 120.0
    price: Price = field(default_factory=Price)
    budget: CallBudget = field(default_factory=CallBudget)
