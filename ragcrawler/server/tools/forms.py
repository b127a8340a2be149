"""The arguments of the tools; models that call them by other usual names are understood."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from ragcrawler.server.services.forms import Question

DEFAULT_TOKENS = 2_000
MOST_TOKENS = 20_000
_LONGEST_SHOWN = 60

MaxTokens = Annotated[
    int,
    Field(
        ge=200,
        le=MOST_TOKENS,
        validation_alias=AliasChoices("max_tokens", "maxTokens", "token_budget", "budget", "tokens"),
        description="The whole answer has at most so many tokens",
    ),
]
Cursor = Annotated[
    str,
    Field(
        max_length=40,
        pattern=r"^(\d{1,7}(:\d{1,7})?)?$",
        validation_alias=AliasChoices("cursor", "next_cursor", "page_token"),
        description="The next_cursor of the answer before, to go on where it was cut",
    ),
]
Site = Annotated[
    str,
    Field(
        max_length=300,
        validation_alias=AliasChoices("site", "domain", "host"),
        description="Only pages of this host",
    ),
]
Reference = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        validation_alias=AliasChoices("id", "chunk_id", "document_id", "url", "ref", "uri"),
        description="The id of a result, of a document, or a URL",
    ),
]


class ToolForm(BaseModel):
    """Arguments of a tool."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    @classmethod
    def wrong_names(cls, given: Iterable[str]) -> str:
        """What is wrong with the names of arguments, for the model; "" where nothing is."""
        known = cls._fields_by_name()
        named: dict[str, str] = {}
        for name in given:
            if name not in known:
                return f"There is no argument {_shown(name)}; there are {', '.join(cls.model_fields)}."
            if known[name] in named:
                return f"{_shown(name)} and {_shown(named[known[name]])} are one argument: give one of them."
            named[known[name]] = name
        return ""

    @classmethod
    def input_schema(cls) -> dict[str, Any]:
        """The JSON Schema with the names that the tool prefers."""
        schema = cls.model_json_schema(by_alias=False)
        kept: dict[str, Any] = {
            key: schema[key] for key in ("type", "properties", "required") if key in schema
        }
        return {**kept, "additionalProperties": False}

    @classmethod
    def _fields_by_name(cls) -> Mapping[str, str]:
        """The fields by each name that is understood."""
        others = {name: field.validation_alias for name, field in cls.model_fields.items()}
        return {name: name for name in others} | {
            str(other): name
            for name, alias in others.items()
            if isinstance(alias, AliasChoices)
            for other in alias.choices
        }


def _shown(name: str) -> str:
    return repr(name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…")


class SearchTool(ToolForm):
    """Arguments of `search`."""

    query: Annotated[
        Question, Field(validation_alias=AliasChoices("query", "q", "question", "text", "search"))
    ]
    max_tokens: MaxTokens = DEFAULT_TOKENS
    limit: Annotated[
        int,
        Field(
            ge=1,
            le=50,
            validation_alias=AliasChoices("limit", "k", "top_k", "n", "num_results", "max_results"),
            description="How many results at most",
        ),
    ] = 5
    site: Site = ""
    kind: Annotated[
        Literal["", "text", "table", "list", "code", "quote", "mixed"],
        Field(
            validation_alias=AliasChoices("kind", "type", "chunk_type"),
            description="Only passages of this kind",
        ),
    ] = ""
    section: Annotated[
        str, Field(max_length=400, description="Only what stands below headings with these words")
    ] = ""
    cursor: Cursor = ""


class ReadTool(ToolForm):
    """Arguments of `read`."""

    id: Reference
    view: Annotated[
        Literal["neighbours", "section", "outline", "document"],
        Field(
            validation_alias=AliasChoices("view", "mode", "what"),
            description="What stands around a passage, its section, the document's headings, or all of it",
        ),
    ] = "neighbours"
    max_tokens: MaxTokens = DEFAULT_TOKENS
    cursor: Cursor = ""


class FetchTool(ToolForm):
    """Arguments of `fetch`."""

    id: Reference
    max_tokens: MaxTokens = DEFAULT_TOKENS


class SourcesTool(ToolForm):
    """Arguments of `sources`."""

    max_tokens: MaxTokens = DEFAULT_TOKENS
    cursor: Cursor = ""


class AskTool(ToolForm):
    """Arguments of `ask`."""

    question: Annotated[
        Question, Field(validation_alias=AliasChoices("question", "query", "q", "text", "prompt"))
    ]
    max_tokens: MaxTokens = DEFAULT_TOKENS
    site: Site = ""
