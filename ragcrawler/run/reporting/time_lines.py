"""The times of a crawl as lines of text."""

from collections.abc import Iterator, Mapping

from ragcrawler.run.reporting.stage_times import Stage, StageTime

STAGE_NAMES: Mapping[Stage, tuple[str, str]] = {
    "fetch_wait": ("fetch: waiting for sites", "requests"),
    "convert": ("convert", "pages"),
    "chunk": ("chunk", "documents"),
    "summarize": ("summarize: waiting for the language model", "summaries"),
    "embed_dense": ("embed: dense", "texts"),
    "embed_sparse": ("embed: sparse", "texts"),
    "upsert": ("upsert", "documents"),
}


def time_lines(times: Mapping[Stage, StageTime], chunks_per_second: float | None) -> Iterator[str]:
    """A table of the stages in their order, and the speed of the models."""
    yield "| stage | of | wall seconds, added up | CPU seconds |"
    yield "|---|---:|---:|---:|"
    for stage, (name, unit) in STAGE_NAMES.items():
        spent = times.get(stage)
        if spent is not None:
            cpu = "" if spent.cpu_seconds is None else f"{spent.cpu_seconds:.1f}"
            yield f"| {name} | {spent.count} {unit} | {spent.wall_seconds:.1f} | {cpu} |"
    yield ""
    yield (
        "Wall seconds are added up over what went on at the same time: they may exceed the crawl's own."
        " CPU seconds are those of the worker process (convert, chunk) or of the thread (embed, upsert);"
        " pages that could not be converted, the frontier and the feed are not in them."
    )
    yield ""
    if chunks_per_second is not None:
        yield f"The models embed {chunks_per_second:.1f} chunks a second on this machine."
        yield ""
