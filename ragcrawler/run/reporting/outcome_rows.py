"""Rows of the report on URLs, chunks and documents."""

from collections.abc import Mapping

from ragcrawler.frontier import UrlCounts
from ragcrawler.run.outcomes import DISK_FULL, SHUTDOWN, UNCHANGED
from ragcrawler.run.reporting.report import ChunkCounts, DocumentCounts, RunReport
from ragcrawler.run.reporting.stat_rows import count_of

# For these the crawl ended before a URL's turn came; so it does for the bounds of Scrapy's CloseSpider.
_UNREACHED = ("closespider_", DISK_FULL, SHUTDOWN, "finished", "start_failed")


def page_rows(pages: UrlCounts) -> Mapping[str, int]:
    """What became of the URLs, by reason, the most first."""
    skipped, unreached = by_purpose(pages)
    fates = {"skipped": skipped, "not reached": unreached, "failed": pages.failed}
    rows = {"fetched": pages.fetched}
    for fate, counts in fates.items():
        for reason, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
            rows[f"{fate}: {reason}"] = count
    return rows


def by_purpose(pages: UrlCounts) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """URLs that were skipped on purpose, and URLs that an early end left unfetched."""
    unreached = {reason: count for reason, count in pages.skipped.items() if reason.startswith(_UNREACHED)}
    return {reason: count for reason, count in pages.skipped.items() if reason not in unreached}, unreached


def unchanged_pages(pages: UrlCounts) -> int:
    """Stored pages that are as they were."""
    return pages.skipped.get(UNCHANGED, 0)


def skipped_urls(pages: UrlCounts) -> int:
    """URLs that were skipped on purpose, without the stored pages that are as they were."""
    return sum(by_purpose(pages)[0].values()) - unchanged_pages(pages)


def chunk_rows(chunks: ChunkCounts) -> Mapping[str, int]:
    """What became of the chunks."""
    return {
        "stored": chunks.points,
        "lost": chunks.lost,
        "made": chunks.made,
        "of the stored: new": chunks.new,
        "of the stored: updated": chunks.updated,
        "of the stored: unchanged, not touched": chunks.unchanged,
        "texts embedded": chunks.embedded,
        "vectors from the cache": chunks.cached,
        "removed: no longer on their page, or their page is gone": chunks.removed,
        "on unchanged pages, not touched": chunks.untouched,
    }


def document_rows(documents: DocumentCounts) -> Mapping[str, int]:
    """What became of documents in the collection."""
    return {
        "new": documents.new,
        "changed": documents.changed,
        "another page around the same text: nothing written": documents.same_text,
        "unchanged: not converted": documents.unchanged,
        "gone: removed": documents.removed,
        "gone: to be confirmed by further runs": documents.waiting,
        "gone: kept by the brake (-a force_delete=1 lets them go)": documents.spared,
    }


def validation_rows(report: RunReport) -> Mapping[str, int]:
    """How the chunks came out."""

    def count(name: str) -> int:
        return count_of(report.stats, f"chunk/{name}")

    return {
        "tokens in all": report.chunks.tokens,
        "tokens of a chunk, on average": round(report.chunks.tokens / max(report.chunks.made, 1)),
        "tokens of the smallest": count("tokens_min"),
        "tokens of the biggest": count("tokens_max"),
        "chunks with code": count("with_code"),
        "chunks over the limit": count("over_limit"),
        "chunks under the minimum": count("under_minimum"),
        **{f"headings H{level}": count(f"headings/h{level}") for level in range(1, 7)},
        "H1 and H2 lost": count("lost_headings"),
        "letters and digits of the documents": count("characters"),
        "of these in no chunk": count("uncovered_characters"),
    }
