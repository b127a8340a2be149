"""How much an account may spend."""

from dataclasses import dataclass

from ragcrawler.llm.calls.usage import MICRO
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
    """

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0

    def check(self, calls: int, tokens: int, micro_dollars: int) -> None:
        """Compare sums that include the call that is to be made.

        Raises:
            BudgetSpentError: one of them is over its bound.
        """
        bounds = (
            ("calls", calls, self.calls, f"{self.calls} calls"),
            ("tokens", tokens, self.tokens, f"{self.tokens} tokens"),
            ("cost", micro_dollars, int(self.dollars * MICRO), f"{self.dollars:g} US dollars"),
        )
        for name, amount, bound, shown in bounds:
            if bound and amount > bound:
                reached = f"{amount / MICRO:.4f} US dollars" if name == "cost" else f"{amount} {name}"
                raise BudgetSpentError(
                    f"the budget of {shown} is spent: the next call would make it {reached}; "
                    "raise the budget and run the same command again: what is paid is kept"
                )
