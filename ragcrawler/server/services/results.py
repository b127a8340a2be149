"""The answers of the services; text of pages is without control characters."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from ragcrawler.items import SemanticChunk, chunk_record
from ragcrawler.retrieval.formatting.printable import printable
from ragcrawler.retrieval.passage import Passage
from ragcrawler.retrieval.short_links import plain_label
from ragcrawler.retrieval.word_budget import count_words


class Result(BaseModel):
    """An answer."""

    model_config = ConfigDict(frozen=True)


class ChunkResult(Result):
    """A chunk as it is stored; the fields are described in docs/search.md."""

    id: str
    chunk_id: str
    document_id: str
    document_title: str
    source_url: str
    chunk_link: str
    chunk_type: str
    content: str
    token_count: int
    section_path: list[str]
    position: int
    split_sequence: str | None
    is_continuation: bool
    prev_chunk_id: str | None
    next_chunk_id: str | None
    chapter: str
    summary: str
    fetched_at: str
    aliases: list[str]
    extra: dict[str, Any] | None

    @classmethod
    def of(cls, chunk: SemanticChunk) -> Self:
        """The result of a chunk."""
        record = chunk_record(chunk)
        record["section_path"] = list(map(plain_label, chunk.section_path))
        return cls(**{name: clean(record[name]) for name in cls.model_fields})


class HitResult(Result):
    """A hit: its text, with neighbours if they were asked for, and where it stands."""

    rank: int
    score: float
    id: str = Field(description="Of the best chunk")
    title: str
    section_path: list[str]
    link: str
    source_url: str
    document_id: str
    text: str
    words: int
    is_cut: bool = Field(description="The text ends before its chunks do, for want of room")
    chunk_ids: list[str] = Field(description="The chunks that the text is made of")
    hit_ids: list[str] = Field(description="Those of them that were found, best first")
    suspicious: list[str] = Field(description="Passages that read like instructions to a model")
    chunk: ChunkResult = Field(description="The best hit")

    @classmethod
    def of(cls, rank: int, passage: Passage) -> Self:
        """The result of a passage."""
        best, text = passage.hits[0], clean(passage.text)
        return cls(
            rank=rank,
            score=passage.score,
            id=best.id,
            title=clean(passage.title),
            section_path=clean(list(passage.section_path)),
            link=clean(passage.link),
            source_url=clean(best.source_url),
            document_id=clean(best.document_id),
            text=text,
            words=count_words(text),
            is_cut=passage.is_cut,
            chunk_ids=[chunk.id for chunk in passage.chunks],
            hit_ids=[chunk.id for chunk in passage.hits],
            suspicious=clean(list(passage.suspicious)),
            chunk=ChunkResult.of(best),
        )


class SearchResult(Result):
    """What a search found."""

    query: str
    hits: list[HitResult]
    reranked: bool = False
    rerank_failure: str | None = None
    is_empty: bool = Field(default=False, description="Nothing was found, for the collection holds nothing")


class CitationResult(Result):
    """Words of a source that bear out a statement."""

    source: int
    quote: str


class StatementResult(Result):
    """A part of an answer."""

    text: str
    citations: list[CitationResult]


class SourceResult(Result):
    """A passage that the model was shown."""

    source: int
    cited: bool
    title: str
    section_path: list[str]
    link: str
    source_url: str
    document_id: str
    suspicious: list[str]


class AnswerResult(Result):
    """An answer of the language model, limited to what it could show."""

    answered: bool
    statements: list[StatementResult]
    sources: list[SourceResult]
    struck_quotes: int
    struck_statements: int


class DocumentResult(Result):
    """A document as the catalogue records it."""

    document_id: str
    source_url: str
    url: str = Field(deprecated=True, description="The former name of source_url")
    site: str
    title: str
    language: str
    chunks: int
    fetched_at: str
    first_seen: str
    last_seen: str
    missing_reason: str
    aliases: list[str]


class DocumentsResult(Result):
    """A page of the list of documents, in the order of their ids."""

    documents: list[DocumentResult]
    next: str | None = Field(default=None, description="The `after` of the next page")


class ChunksResult(Result):
    """A stretch of a document."""

    document_id: str
    title: str
    source_url: str
    total: int = Field(description="Chunks of the document")
    chunks: list[ChunkResult]
    next: int | None = Field(default=None, description="The `start` of the next stretch")


class PassageResult(Result):
    """A chunk with its neighbours."""

    chunk: ChunkResult
    before: list[ChunkResult]
    after: list[ChunkResult]
    text: str = Field(description="All of them as one text, Markdown")


class SiteResult(Result):
    """A site in the collection."""

    site: str
    documents: int
    chunks: int
    last_fetched: str
    missing: int = Field(description="Documents that the last run found gone")


class SourcesResult(Result):
    """The sites in the collection."""

    sites: list[SiteResult]


class RunResult(Result):
    """A run of a crawl."""

    name: str
    has_page: bool = Field(description="Whether its report is there as a page")


class RunsResult(Result):
    """The runs whose reports are there, the latest first."""

    runs: list[RunResult]


class RunReportResult(Result):
    """The report of a run."""

    name: str
    report: dict[str, Any]
    markdown: str


class ModelsResult(Result):
    """The models of a collection."""

    dense: str
    dense_dimensions: int
    sparse: str


class StatisticsResult(Result):
    """The collection in numbers."""

    collection: str
    chunks: int
    documents: int
    sites: int
    models: ModelsResult | None = None
    language_model: bool = Field(description="Whether `ask` has a language model")


class KeptOutEntryResult(Result):
    """A page or a site that is kept out."""

    pattern: str
    kind: str = Field(description='"page", "spelling" or "site"')
    text_hash: str = Field(description="Of the text that is kept out with it; empty for none")
    since: str


class KeptOutResult(Result):
    """What no crawl and no import may bring."""

    entries: list[KeptOutEntryResult]


class RemovalResult(Result):
    """What was removed, or would be."""

    urls: list[str] = Field(description="Of the documents, a thousand at the most")
    counts: dict[str, int] = Field(description="How much of each place")
    elsewhere: dict[str, int] = Field(description="What of it feeds and researches hold still, by name")
    left: list[str] = Field(description="What stays, and why")
    kept_out: list[KeptOutEntryResult]
    is_dry: bool


class AllowResult(Result):
    """How many entries were struck off the list."""

    allowed: int


class HealthResult(Result):
    """Whether the collection can be searched."""

    status: str = Field(description='"ok", or "empty" while there is nothing to search')
    version: str


class ErrorResult(Result):
    """Why a request was not answered."""

    error: str


def clean(value: Any) -> Any:
    """A JSON value whose texts are printable; a lone half of a pair would break the answer."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        return {clean(key): clean(each) for key, each in value.items()}
    return value
