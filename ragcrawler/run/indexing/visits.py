"""Dates the visits of a run, so that the pages are due again in time."""

from dataclasses import dataclass, field, replace

from ragcrawler.catalogue import DocumentRecord, Revisit, RevisitSchedule


@dataclass(frozen=True, slots=True)
class Visits:
    """All visits of a run count from its start: a crawl that begins at the same hour each day finds them due.

    Attributes:
        now: when the run started, in seconds since 1970.
        schedule: adapts the intervals.
    """

    now: float
    schedule: RevisitSchedule = field(default_factory=RevisitSchedule)

    def of_unchanged(self, record: DocumentRecord) -> Revisit:
        """When a page that came as it was is due next."""
        return self.schedule.after_visit(Revisit.of(record), self.now, is_changed=False)

    def dated(self, record: DocumentRecord, before: DocumentRecord | None) -> DocumentRecord:
        """The record of a page that was read, with its next date.

        Args:
            record: new.
            before: of the last visit; None for a new page.
        """
        if before is None or not before.content_hash:
            is_changed = None
        elif before.content_hash == record.content_hash:
            is_changed = False
        else:
            # Another version of the program, or other settings, may read another text in the same page.
            is_changed = True if before.preparation == record.preparation else None
        last = Revisit() if before is None else Revisit.of(before)
        interval, due_at = self.schedule.after_visit(last, self.now, is_changed=is_changed)
        return replace(record, interval_seconds=interval, due_at=due_at)
