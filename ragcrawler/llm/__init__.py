"""Language models that fill in forms: reranking, answers, research."""

from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.open import open_language_model
from ragcrawler.llm.protocol import LanguageModel, LanguageModelError, Prompt
from ragcrawler.llm.scripted import ScriptedModel

__all__ = [
    "LanguageModel",
    "LanguageModelConfig",
    "LanguageModelError",
    "Prompt",
    "ScriptedModel",
    "open_language_model",
]
