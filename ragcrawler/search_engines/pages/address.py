"""The address of a page of results."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from ragcrawler.search_engines.pages.definition import EngineDefinition
from ragcrawler.search_engines.query import SearchQuery

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def page_parameters(definition: EngineDefinition, query: SearchQuery, page: int) -> Mapping[str, str]:
    """The parameters of a page, the first being 1."""
    values = {name: value.replace("{terms}", query.terms) for name, value in definition.parameters.items()}
    paging = definition.paging
    if paging and page > 1:
        values[paging.parameter] = str(paging.start + (page - 2) * paging.step)
    if query.language:
        for name, value in definition.language_parameters.items():
            values[name] = value.replace("{language}", query.short_language)
    if definition.since_parameter and query.since:
        value = definition.since_values[query.since]
        values[definition.since_parameter] = _dated(value, _DAYS[query.since])
    return values


def _dated(value: str, days: int) -> str:
    today = datetime.now(UTC)
    first = today - timedelta(days=days)
    dates = {
        "{first_date}": f"{first:%Y%m%d}",
        "{first_day}": str((first - _EPOCH).days),
        "{last_day}": str((today - _EPOCH).days),
    }
    for name, date in dates.items():
        value = value.replace(name, date)
    return value
