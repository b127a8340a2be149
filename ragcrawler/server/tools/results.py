"""The answers of the tools; page text stands in its envelope."""

from pydantic import BaseModel, ConfigDict, Field

from ragcrawler.server.tools.envelope import NOTICE


class ToolResult(BaseModel):
    """An answer: one JSON object, as text and as structured content."""

    model_config = ConfigDict(frozen=True)


class FoundPassage(ToolResult):
    """A result of a search."""

    id: str = Field(description="For `read` and `fetch`")
    title: str
    url: str = Field(description="With the fragment of the nearest heading")
    section: str
    text: str
    is_cut: bool = Field(default=False, description="There is more of it: read it by its id")


class FoundPassages(ToolResult):
    """What a search found, best first."""

    notice: str = NOTICE
    results: list[FoundPassage]
    next_cursor: str | None = Field(default=None, description="There are more results: ask on with it")


class OutlineEntry(ToolResult):
    """A heading of a document."""

    id: str = Field(description="Of the first passage below it")
    section: str


class Read(ToolResult):
    """What `read` gives: a text, or an outline."""

    notice: str = NOTICE
    id: str
    title: str
    url: str
    text: str = ""
    sections: list[OutlineEntry] = Field(default_factory=list)
    next_cursor: str | None = Field(default=None, description="It goes on: read on with it")


class Fetched(ToolResult):
    """What connectors expect of `fetch`."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]


class Site(ToolResult):
    """A site in the collection."""

    site: str
    documents: int
    passages: int
    last_read: str


class Sites(ToolResult):
    """The sites in the collection."""

    sites: list[Site]
    next_cursor: str | None = None


class AnsweredStatement(ToolResult):
    """A statement with the numbers of its sources."""

    text: str
    sources: list[int]
    quotes: list[str]


class AnswerSource(ToolResult):
    """A source of an answer."""

    source: int
    title: str
    url: str


class Answered(ToolResult):
    """An answer of the language model whose quotes were checked."""

    notice: str = NOTICE
    answered: bool
    statements: list[AnsweredStatement]
    sources: list[AnswerSource]
    is_cut: bool = False
