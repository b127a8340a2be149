"""The form that a language model fills in to answer a question."""

from typing import Annotated

from pydantic import BaseModel, Field


class Quote(BaseModel):
    """Words of a source that support a statement."""

    source: Annotated[int, Field(description="The id of the source")]
    text: Annotated[str, Field(description="Words copied from the source, letter by letter, one stretch")]


class StatementForm(BaseModel):
    """One statement of the answer, with its evidence."""

    text: Annotated[str, Field(description="The statement, one to three sentences")]
    quotes: Annotated[
        list[Quote], Field(description="At least one quote that shows the statement to be true")
    ]


class AnswerForm(BaseModel):
    """An answer from the sources alone; no statement where they do not answer the question."""

    statements: list[StatementForm]
