"""How much of a model's work goes into one run, and how many runs go side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

# Of UTF-8. English has four to five a token, Chinese three: an estimate on the safe side for both.
_BYTES_A_TOKEN = 3


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """The limits of one run of a model.

    Attributes:
        texts: of one run at the most.
        tokens: of one run at the most, padding included; a text that is longer by itself runs alone.
        runs: at a time.
        limit_tokens: of one text; what is longer is cut by the model.
        resource: what the runs are made on; models with the same one share its runs.
    """

    texts: int
    tokens: int
    runs: int
    limit_tokens: int
    resource: str = "cpu"

    def cost(self, text: str) -> int:
        """About the number of tokens that a run reads of a text, rather more than less."""
        return min(self.limit_tokens, len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN + 2)

    def fitting(self, costs: Sequence[int]) -> int:
        """How many texts of these costs, from the first on, go into one run; at least one."""
        most, longest = min(self.texts, len(costs)), costs[0]
        for count in range(2, most + 1):
            longest = max(longest, costs[count - 1])
            if count * longest > self.tokens:
                return count - 1
        return max(most, 1)
