"""Calls of language models that are paid for once: a ledger written before each call, budgets, and rates."""
