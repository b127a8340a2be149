"""The questions that the services answer, with the bounds of every value."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ragcrawler.retrieval import RetrievalMode
from ragcrawler.stores.search_request import Fusion

Question = Annotated[
    str,
    Field(min_length=1, max_length=2_000, pattern=r"\S", description="The question, or words to look for"),
]
_HAS_WORDS = re.compile(r"[^\W_]")
Filter = Annotated[str, Field(min_length=1, max_length=500)]


class Form(BaseModel):
    """A request; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SearchForm(Form):
    """A search: the options of `scrapy search` that cost nothing."""

    q: Question
    limit: Annotated[int, Field(ge=1, le=50, description="How many hits at most")] = 10
    offset: Annotated[int, Field(ge=0, le=1_000, description="Leave out the best of them")] = 0
    mode: Annotated[RetrievalMode, Field(description="Several rankings, or one")] = "hybrid"
    weights: Annotated[
        str, Field(max_length=100, description="Of what hybrid fuses: dense=1,bm25=0.5,document=0.7 say")
    ] = ""
    fusion: Annotated[Fusion | None, Field(description="How hybrid fuses: by ranks, or by scores")] = None
    rerank: Annotated[
        Literal["cross-encoder", "none"] | None, Field(description="Have the best 20 put in order")
    ] = None
    per_document: Annotated[int, Field(ge=0, le=50, description="Hits of one page at most; 0: any")] = 0
    diversity: Annotated[float, Field(ge=0, le=1, description="How much variety counts")] = 0.0
    threshold: Annotated[
        float | None, Field(allow_inf_nan=False, description="No hits with a lower score")
    ] = None
    filter: Annotated[
        list[Filter], Field(max_length=20, description="Conditions such as chunk_type=code; all must hold")
    ] = Field(default_factory=list)
    site: Annotated[str, Field(max_length=300, description="Only pages of this host")] = ""
    context: Annotated[
        Annotated[int, Field(ge=0, le=5)] | Literal["section"] | None,
        Field(
            description="Join so many neighbours on each side to a hit, or its section; by default 1 with a "
            "budget, else 0"
        ),
    ] = None
    budget: Annotated[
        int, Field(ge=0, le=20_000, description="Words that all of it may have; 0: any number")
    ] = 0


class AskForm(Form):
    """A question to the language model, which answers from what is found."""

    question: Question
    limit: Annotated[int, Field(ge=1, le=20, description="How many hits it is shown")] = 8
    mode: RetrievalMode = "hybrid"
    filter: Annotated[list[Filter], Field(max_length=20)] = Field(default_factory=list)
    site: Annotated[str, Field(max_length=300)] = ""
    context: Annotated[int, Field(ge=0, le=5)] | Literal["section"] = 1
    budget: Annotated[int, Field(ge=100, le=20_000, description="Words that it is shown")] = 1_500


Target = Annotated[str, Field(min_length=1, max_length=4_000)]


class RemoveForm(Form):
    """What is to be removed."""

    targets: Annotated[
        list[Target], Field(max_length=100, description="URLs of pages, paths of files, and domains")
    ] = Field(default_factory=list)
    documents: Annotated[list[Target], Field(max_length=100, description="Ids of documents")] = Field(
        default_factory=list
    )
    keep_out: Annotated[bool, Field(description="No crawl and no import may bring it back")] = False
    everywhere: Annotated[
        bool, Field(description="Out of feeds of earlier runs and out of researches too")
    ] = False
    dry_run: Annotated[bool, Field(description="Only say what would be removed")] = False


class AllowForm(Form):
    """What may come in again."""

    targets: Annotated[list[Target], Field(min_length=1, max_length=100, description="Entries of the list")]


class DocumentsForm(Form):
    """A page of the list of documents."""

    site: Annotated[str, Field(max_length=300, description="Only those of this host")] = ""
    after: Annotated[str, Field(max_length=200, description="The `next` of the page before")] = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 50


class ChunksForm(Form):
    """A stretch of a document."""

    start: Annotated[int, Field(ge=0, le=1_000_000, description="Position of the first chunk")] = 0
    limit: Annotated[int, Field(ge=1, le=200, description="How many chunks at most")] = 50


class ChunkForm(Form):
    """A chunk and what stands around it."""

    context: Annotated[int, Field(ge=0, le=5, description="Neighbours on each side")] = 0


def place_filters(kind: str, section: str) -> list[str]:
    """The conditions of a kind of passage, and of words in the headings above it; "" is any."""
    kinds = [f"chunk_type={kind}"] if kind else []
    compared = "~=" if _HAS_WORDS.search(section) else "="
    return [*kinds, *([f"section_path_list{compared}{section}"] if section.strip() else [])]
