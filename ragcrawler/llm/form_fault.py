"""Tells an answer that is not in the form from no answer at all."""

from typing import get_args

from ragcrawler.llm.config import LanguageModelConfig, OutputMode
from ragcrawler.llm.instructor_client import named, without_key

_FAULTS_SHOWN = 3
_SHOWN_CHARACTERS = 150


def misfit(config: LanguageModelConfig, error: Exception) -> str:
    """The fault of an answer and the next step, from instructor's exception; "" where no answer came."""
    from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException

    if isinstance(error, IncompleteOutputException):
        bound = f"{config.max_output_setting}, which is {config.max_output_tokens}"
        return f"{named(config)} gave an answer that was cut off: raise {bound}"
    # Each failed attempt is an answer that came: what the network or the server did is raised at once.
    if not isinstance(error, InstructorRetryException) or not error.failed_attempts:
        return ""
    fault = without_key(config, _fault(error.failed_attempts[-1].exception))
    # A provider that instructor knows is asked in the way that instructor holds to be best.
    others = [each for each in get_args(OutputMode) if each != config.output] if config.base_url else []
    ways = "".join(f"LLM_OUTPUT={each}, " for each in others)
    return (
        f"{named(config)} gave an answer that does not fit the form ({fault}): "
        f"try {ways}more than LLM_ATTEMPTS={config.attempts}, or another LLM_MODEL"
    )


def is_cut_off(error: Exception) -> bool:
    """Whether an answer ended at its bound: asked again, it would end there again."""
    from instructor.core.exceptions import IncompleteOutputException

    return isinstance(error, IncompleteOutputException)


def _fault(error: BaseException) -> str:
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return " ".join(str(error).split())[:_SHOWN_CHARACTERS]
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    shown = [f"{'.'.join(map(str, each['loc'])) or 'answer'}: {each['msg']}" for each in faults]
    return "; ".join(shown[:_FAULTS_SHOWN])
