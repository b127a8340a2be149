"""Calls of language models that are paid for once: a ledger written before each call, budgets, and rates."""

from ragcrawler.llm.calls.budget import BudgetSpentError, CallBudget
from ragcrawler.llm.calls.caller import CallerConfig, ModelCaller, Reply
from ragcrawler.llm.calls.instructor_model import AsyncInstructorModel
from ragcrawler.llm.calls.ledger import AccountSums, CallLedger
from ragcrawler.llm.calls.model import (
    AsyncLanguageModel,
    CallRequest,
    InvalidAnswerError,
    ModelBusyError,
    ModelRefusedError,
)
from ragcrawler.llm.calls.usage import Price, Usage

__all__ = [
    "AccountSums",
    "AsyncInstructorModel",
    "AsyncLanguageModel",
    "BudgetSpentError",
    "CallBudget",
    "CallLedger",
    "CallRequest",
    "CallerConfig",
    "InvalidAnswerError",
    "ModelBusyError",
    "ModelCaller",
    "ModelRefusedError",
    "Price",
    "Reply",
    "Usage",
]
