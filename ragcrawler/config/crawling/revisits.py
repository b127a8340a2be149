"""How often pages are visited, as the settings have it."""

from ragcrawler.catalogue import RevisitSchedule
from ragcrawler.catalogue.revisit import HOUR_SECONDS
from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader


def revisit_schedule(read: SettingsReader) -> RevisitSchedule:
    """Read and check the bounds of the interval, and how fast it adapts.

    Raises:
        SettingError: a setting is invalid.
    """
    schedule = RevisitSchedule(
        first_seconds=read.number("REVISIT_FIRST_HOURS") * HOUR_SECONDS,
        min_seconds=read.number("REVISIT_MIN_HOURS") * HOUR_SECONDS,
        max_seconds=read.number("REVISIT_MAX_HOURS") * HOUR_SECONDS,
        growth=read.amount("REVISIT_GROWTH"),
        shrinkage=read.amount("REVISIT_SHRINKAGE"),
    )
    if schedule.shrinkage > 1:
        raise SettingError("REVISIT_SHRINKAGE", schedule.shrinkage, "a number from 0 to 1")
    if not schedule.min_seconds <= schedule.first_seconds <= schedule.max_seconds:
        hours = schedule.first_seconds / HOUR_SECONDS
        expected = "a number of hours between REVISIT_MIN_HOURS and REVISIT_MAX_HOURS"
        raise SettingError("REVISIT_FIRST_HOURS", hours, expected)
    return schedule
