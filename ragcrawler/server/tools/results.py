"""The answers of the tools; the types of their fields say what a page wrote, and keep it in its envelope."""

from operator import not_
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ragcrawler.server.tools.envelope import NOTICE, address, envelope

PageText = Annotated[str, AfterValidator(envelope)]
"""What a page wrote, or what was made of that: it stands in the envelope."""
Address = Annotated[str, AfterValidator(address)]
"""A URL, a part of one, or an id: it can hold no text, and is used as it is."""
Suspicious = Annotated[
    bool, Field(exclude_if=not_, description="It holds text that reads like instructions to a model")
]
IsCut = Annotated[bool, Field(exclude_if=not_, description="It is cut: ask with a larger max_tokens")]
_URL = "With the fragment of the nearest heading; empty where it is too long for max_tokens"


class ToolResult(BaseModel):
    """An answer: one JSON object, as text and as structured content."""

    model_config = ConfigDict(frozen=True)


class FoundPassage(ToolResult):
    """A result of a search."""

    id: Address = Field(description="For `read` and `fetch`")
    score: float = Field(description="Higher is better; comparable only within one search")
    title: PageText
    url: Address = Field(description=_URL)
    section: PageText = Field(default="", exclude_if=not_)
    text: PageText
    is_cut: bool = Field(default=False, exclude_if=not_, description="There is more of it: read it by its id")
    suspicious: Suspicious = False


class FoundPassages(ToolResult):
    """What a search found, best first."""

    notice: str = NOTICE
    results: list[FoundPassage]
    next_cursor: str | None = Field(default=None, description="There are more results: ask on with it")


class OutlineEntry(ToolResult):
    """A heading of a document."""

    id: Address = Field(description="Of the first passage below it")
    section: PageText


class Read(ToolResult):
    """What `read` gives: a text, or an outline."""

    notice: str = NOTICE
    id: Address
    title: PageText
    url: Address = Field(description=_URL)
    text: PageText = Field(default="", exclude_if=not_)
    sections: list[OutlineEntry] = Field(default_factory=list, exclude_if=not_)
    suspicious: Suspicious = False
    next_cursor: str | None = Field(default=None, description="It goes on: read on with it")


class FetchedMetadata(ToolResult):
    """What is to be known of a fetched text."""

    notice: str = NOTICE
    next_cursor: str | None = Field(default=None, description="It goes on: `read` on with it")
    suspicious: Suspicious = False


class Fetched(ToolResult):
    """What connectors expect of `fetch`."""

    id: Address
    title: PageText
    text: PageText
    url: Address = Field(description=_URL)
    metadata: FetchedMetadata = FetchedMetadata()


class Site(ToolResult):
    """A site in the collection."""

    site: Address
    documents: int
    chunks: int
    last_fetched: str


class Sites(ToolResult):
    """The sites in the collection."""

    sites: list[Site]
    next_cursor: str | None = None


class AnsweredStatement(ToolResult):
    """A statement with the numbers of its sources."""

    text: PageText
    sources: list[int]
    quotes: list[PageText]


class AnswerSource(ToolResult):
    """A source of an answer."""

    source: int
    title: PageText
    url: Address = Field(description=_URL)
    suspicious: Suspicious = False


class Answered(ToolResult):
    """An answer of the language model whose quotes were checked."""

    notice: str = NOTICE
    answered: bool
    statements: list[AnsweredStatement]
    sources: list[AnswerSource]
    is_cut: IsCut = False
