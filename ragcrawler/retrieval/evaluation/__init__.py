"""How good a search is: judged queries, metrics, intervals and paired tests."""

from ragcrawler.retrieval.evaluation.evaluate import Evaluation, compare, evaluate
from ragcrawler.retrieval.evaluation.judged import JudgedQuery, QuerySetError

__all__ = ["Evaluation", "JudgedQuery", "QuerySetError", "compare", "evaluate"]
