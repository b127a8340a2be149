"""The database of all researches: templates, and which researches there are."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ragcrawler.postgres.migrations import migrate, read_migrations
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.errors import ResearchError
from ragcrawler.research.templates import Template, named_template, parse_template
from ragcrawler.research.templates.seeded import seeded_templates

SCHEMA = "research"
_LISTED = "id, goal, template, options, embedding_model, state, end_reason, began_at, ended_at"


@dataclass(frozen=True, slots=True)
class ResearchRecord:
    """A research that was begun.

    Attributes:
        id: short and readable.
        goal: one sentence.
        template: as it was at the beginning.
        options: bounds and starting points, by name.
        embedding_model: whose vectors its questions and facts have.
        state: "open" or "ended".
        end_reason: "" while it is open.
        began_at: UTC.
        ended_at: UTC; None while it is open.
    """

    id: str
    goal: str
    template: Template
    options: dict[str, Any]
    embedding_model: str
    state: str = "open"
    end_reason: str = ""
    began_at: datetime | None = None
    ended_at: datetime | None = None


class ResearchDatabase:
    """Templates and the list of researches; one thread at a time.

    Args:
        session: of the schema `SCHEMA`; brought to the last version here, new ones with the seeded templates.

    Raises:
        PostgresError: the database cannot be used; every method raises it.
    """

    def __init__(self, session: PostgresSession) -> None:
        self.session = session
        if migrate(session, read_migrations(f"{__package__}.migrations")):
            for template in seeded_templates():
                self._put(template, "DO NOTHING")

    def templates(self) -> list[Template]:
        """All, by name."""
        rows = self.session.rows("SELECT definition FROM templates ORDER BY name")
        return [_parsed(definition) for (definition,) in rows]

    def template(self, name: str) -> Template:
        """One of them.

        Raises:
            TemplateError: there is none of that name.
        """
        return named_template(self.templates(), name)

    def put_template(self, template: Template) -> None:
        """Add it, or replace the one of its name. Researches that were begun keep theirs."""
        self._put(template, "DO UPDATE SET definition = excluded.definition, changed_at = now()")

    def remove_template(self, name: str) -> None:
        """Take it out.

        Raises:
            TemplateError: there is none of that name.
        """
        self.template(name)
        self.session.rows("DELETE FROM templates WHERE name = :name", name=name)

    def researches(self) -> list[ResearchRecord]:
        """All, the newest first."""
        rows = self.session.rows(f"SELECT {_LISTED} FROM researches ORDER BY began_at DESC")
        return [_record(row) for row in rows]

    def research(self, research_id: str) -> ResearchRecord:
        """One of them.

        Raises:
            ResearchError: there is none with that id.
        """
        query = f"SELECT {_LISTED} FROM researches WHERE id = :id"
        rows = self.session.rows(query, id=research_id)
        if not rows:
            raise ResearchError(f"there is no research {research_id!r}; `scrapy research --list` shows them")
        return _record(rows[0])

    def begin(self, record: ResearchRecord) -> ResearchRecord:
        """Enter a research, unless it is there; as it is there."""
        self.session.rows(
            "INSERT INTO researches (id, goal, template, options, embedding_model) "
            "VALUES (:id, :goal, :template::json, :options::jsonb, :model) ON CONFLICT (id) DO NOTHING",
            id=record.id,
            goal=record.goal,
            template=json.dumps(record.template.to_record()),
            options=json.dumps(record.options),
            model=record.embedding_model,
        )
        return self.research(record.id)

    def reopen(self, research_id: str, options: dict[str, Any]) -> None:
        """Let an ended research go on, with other bounds."""
        self.session.rows(
            "UPDATE researches SET state = 'open', end_reason = '', ended_at = NULL, "
            "options = :options::jsonb WHERE id = :id",
            id=research_id,
            options=json.dumps(options),
        )

    def end(self, research_id: str, reason: str) -> None:
        """Say why a research is over."""
        self.session.rows(
            "UPDATE researches SET state = 'ended', end_reason = :reason, ended_at = now() WHERE id = :id",
            id=research_id,
            reason=reason,
        )

    def _put(self, template: Template, on_conflict: str) -> None:
        self.session.rows(
            "INSERT INTO templates (name, definition) VALUES (:name, :definition::json) "
            f"ON CONFLICT (name) {on_conflict}",
            name=template.name,
            definition=json.dumps(template.to_record()),
        )


def _parsed(definition: object) -> Template:
    return parse_template(json.dumps(definition))


def _record(row: tuple[Any, ...]) -> ResearchRecord:
    research_id, goal, template, options, *rest = row
    return ResearchRecord(research_id, goal, _parsed(template), options, *rest)
