"""The questions of the page."""

from typing import Annotated, Literal

from pydantic import Field

from ragcrawler.server.services.forms import AskForm, Form, SearchForm, place_filters

HITS_A_PAGE = 10
CHUNKS_A_PAGE = 40


class PageForm(Form):
    """The search page's form; an empty question shows the page without hits.

    Attributes:
        q: the question.
        site: only pages of this host.
        kind: only chunks of this type.
        section: only what stands below headings with these words.
        offset: leave out the best.
        fragment: give the hits alone, for the script.
    """

    q: Annotated[str, Field(max_length=2_000)] = ""
    site: Annotated[str, Field(max_length=300)] = ""
    kind: Literal["", "text", "table", "list", "code", "quote", "mixed"] = ""
    section: Annotated[str, Field(max_length=400)] = ""
    offset: Annotated[int, Field(ge=0, le=1_000)] = 0
    fragment: Literal["", "1"] = ""

    def search_form(self) -> SearchForm:
        """The search that it asks for."""
        filters = place_filters(self.kind, self.section)
        return SearchForm(q=self.q, site=self.site, filter=filters, offset=self.offset, limit=HITS_A_PAGE)

    def parameters(self, **changes: object) -> dict[str, str]:
        """The values that are set, with changes, for a link."""
        values = self.model_dump(exclude={"fragment"}) | changes
        return {name: str(value) for name, value in values.items() if value}


class AskPageForm(Form):
    """A question to the language model, with the filters of the search page beside which it is asked."""

    q: Annotated[str, Field(max_length=2_000)] = ""
    site: Annotated[str, Field(max_length=300)] = ""
    kind: Literal["", "text", "table", "list", "code", "quote", "mixed"] = ""
    section: Annotated[str, Field(max_length=400)] = ""

    def ask_form(self) -> AskForm:
        """What the service is asked."""
        return AskForm(question=self.q, site=self.site, filter=place_filters(self.kind, self.section))


class ReadForm(Form):
    """A view of a document or a chunk, with the words of a question marked."""

    q: Annotated[str, Field(max_length=2_000)] = ""
    start: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    fragment: Literal["", "1"] = ""
