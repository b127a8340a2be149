"""What a provider's client raises, as errors of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

from ragcrawler.llm.calls.model import ModelBusyError
from ragcrawler.llm.config import LanguageModelConfig
from ragcrawler.llm.instructor_client import explain
from ragcrawler.llm.protocol import LanguageModelError

_SERVER_ERROR = 500


@contextmanager
def batch_failures(config: LanguageModelConfig, what: str) -> Iterator[None]:
    """Turn what goes wrong into one kind of error.

    Raises:
        ModelBusyError: it is not known whether the service did what it was asked for.
        LanguageModelError: it did not.
    """
    try:
        yield
    except LanguageModelError:
        raise
    except Exception as error:
        # What a provider's client may raise is not one hierarchy.
        said = explain(config, what, error)
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and status < _SERVER_ERROR:
            raise LanguageModelError(said) from error
        raise ModelBusyError(said, may_be_billed=True) from error
