"""The cost of a research that is not open."""

from contextlib import closing
from pathlib import Path

from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.research.report.spend import spend_counts
from ragcrawler.run.research.request import account_of


def read_spend(ledger_path: Path, research_id: str) -> dict[str, float]:
    """Calls, tokens and dollars, by name; nothing where there is no ledger.

    Raises:
        LanguageModelError: the ledger cannot be read.
    """
    if not ledger_path.exists():
        return {}
    with closing(CallLedger(ledger_path)) as ledger:
        return spend_counts(ledger.sums(account_of(research_id)))
