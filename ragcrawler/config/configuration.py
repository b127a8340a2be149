"""All settings of ours as one typed value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from ragcrawler.catalogue import RevisitSchedule
from ragcrawler.catalogue.revisit import HOUR_SECONDS
from ragcrawler.chunking import ChunkingConfig
from ragcrawler.config.crawling.duplicates import DuplicatesConfig
from ragcrawler.config.crawling.upkeep import UpkeepConfig
from ragcrawler.config.errors import SettingError
from ragcrawler.config.machine import usable_cpus
from ragcrawler.config.models.chunking import ChunkSizes, chunk_sizes, chunking_config
from ragcrawler.config.models.remote_embedding import dense_model_name, remote_config
from ragcrawler.config.models.summaries import SummariesConfig, summaries_config
from ragcrawler.config.postgres import postgres_address
from ragcrawler.config.reader import FromSettings, SettingsReader, setting
from ragcrawler.config.store import store_config
from ragcrawler.config.worker_limits import worker_limits
from ragcrawler.conversion import ConversionLimits
from ragcrawler.conversion.isolation import WorkerLimits
from ragcrawler.conversion.pdf_options import PdfOptions
from ragcrawler.embedding.config import DEVICES, EmbeddingConfig
from ragcrawler.embedding.precision import PRECISIONS
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.stores import StoreConfig
from ragcrawler.stores.ranking.words import ENGLISH_STOP_WORDS

_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Configuration(FromSettings):
    """All settings, checked.

    Attributes:
        output_folder: where all files go.
        store: which collection, and where.
        postgres: the database of the catalogue; None where that is a file.
        embedding: where models lie and how they run.
        dense_model: name, or "auto".
        sparse_model: name, or "auto".
        cache_path: file of the embedding cache.
        cache_bytes: its bound; 0 without a cache.
        conversion: bounds of a document.
        chunking: the chunker's configuration but for its sizes.
        chunk_sizes: its sizes, as far as they were set.
        chunk_tokenizer: what counts the tokens of chunks; "" for the embedding model's.
        workers: processes that convert and chunk; 0 where that follows from models and machine.
        worker_limits: of each.
        max_links: of one page.
        traces_urls: whether to write what became of each URL.
        progress: whether to show how the crawl goes.
        progress_seconds: between two lines where there is no terminal.
        duplicates: when two texts count as one.
        revisits: how often pages are visited.
        upkeep: what is deleted when, and how long a store is waited for.
        feeds_unchanged: whether feeds hold the documents that did not change.
        summaries: how passages are summarised; None where they are not.
    """

    output_folder: Path
    store: StoreConfig
    postgres: PostgresAddress | None
    embedding: EmbeddingConfig
    dense_model: str
    sparse_model: str
    cache_path: Path
    conversion: ConversionLimits
    chunking: ChunkingConfig
    chunk_sizes: ChunkSizes
    worker_limits: WorkerLimits
    duplicates: DuplicatesConfig
    revisits: RevisitSchedule
    upkeep: UpkeepConfig
    feeds_unchanged: bool
    summaries: SummariesConfig | None
    cache_bytes: int = setting("EMBEDDING_CACHE_MEBIBYTES", "mebibytes")
    chunk_tokenizer: str = setting("CHUNK_TOKENIZER", "text")
    workers: int = setting("PREPARATION_WORKERS", "integer")
    max_links: int = setting("MAX_LINKS_PER_PAGE", "integer", minimum=1)
    traces_urls: bool = setting("TRACE_URLS", "flag")
    progress: bool = setting("PROGRESS_ENABLED", "flag")
    progress_seconds: float = setting("PROGRESS_INTERVAL_SECONDS", "number")

    @property
    def collection_place(self) -> str:
        """Where the collection is, for people."""
        return f"{self.store.location}/{self.store.collection}"

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        read = SettingsReader(settings)
        check_project_root(read)
        output = read.folder("OUTPUT_DIR")
        return cls(
            output_folder=output,
            store=store_config(read, output),
            postgres=postgres_address(settings),
            embedding=_embedding(read),
            dense_model=dense_model_name(read),
            sparse_model=read.text("SPARSE_EMBEDDING_MODEL") or "auto",
            cache_path=read.folder("EMBEDDING_CACHE_PATH", output / "embedding_cache.sqlite"),
            conversion=conversion_limits(read),
            chunking=chunking_config(read),
            chunk_sizes=chunk_sizes(read),
            worker_limits=worker_limits(read),
            duplicates=DuplicatesConfig.from_settings(settings),
            revisits=revisit_schedule(read),
            upkeep=UpkeepConfig.from_settings(settings),
            feeds_unchanged=read.choice("FEED_DOCUMENTS", ("all", "changes")) == "all",
            summaries=summaries_config(settings, output),
            **cls.read_fields(read),
        )


def _embedding(read: SettingsReader) -> EmbeddingConfig:
    config = EmbeddingConfig(
        device=read.choice("EMBEDDING_DEVICE", DEVICES),  # type: ignore[arg-type]  # checked by choice
        batch_tokens=read.integer("EMBEDDING_BATCH_TOKENS"),
        threads=read.integer("EMBEDDING_THREADS") or usable_cpus(),
        hub_timeout_seconds=read.number("HUB_TIMEOUT_SECONDS"),
        offline=read.flag("HF_HUB_OFFLINE"),
        precision=read.choice("EMBEDDING_PRECISION", PRECISIONS),  # type: ignore[arg-type]  # likewise
        token_vectors=read.optional_flag("TOKEN_VECTORS"),
        token_stop_words=ENGLISH_STOP_WORDS,
        remote=remote_config(read),
    )
    if endpoint := read.address("HF_ENDPOINT"):
        config = replace(config, hub_endpoint=endpoint)
    if folder := read.text("MODEL_CACHE_DIR"):
        config = replace(
            config, cache_dir=Path(folder), hub_cache_dirs=(Path(folder) / "hub", *config.hub_cache_dirs[1:])
        )
    if folder := read.text("FASTEMBED_CACHE_PATH"):
        config = replace(config, hub_cache_dirs=(Path(folder), *config.hub_cache_dirs))
    return config


def conversion_limits(read: SettingsReader) -> ConversionLimits:
    """The bounds of a conversion.

    Raises:
        SettingError: one of them has an invalid value.
    """
    artifacts = read.text("DOCLING_ARTIFACTS_PATH")
    if artifacts and not Path(artifacts).is_dir():
        raise SettingError("DOCLING_ARTIFACTS_PATH", artifacts, "a folder of docling's weights")
    if read.flag("PDF_OCR") and not artifacts:
        raise SettingError("PDF_OCR", True, "off, or DOCLING_ARTIFACTS_PATH set: OCR needs docling's weights")
    return ConversionLimits(
        max_input_bytes=read.integer("CONVERSION_MAX_INPUT_MEBIBYTES", minimum=1) * _MEBIBYTE,
        max_pages=read.integer("CONVERSION_MAX_PAGES", minimum=1),
        max_decompressed_bytes=read.integer("CONVERSION_MAX_DECOMPRESSED_MEBIBYTES", minimum=1) * _MEBIBYTE,
        max_nesting_levels=read.integer("CONVERSION_MAX_NESTING_LEVELS", minimum=1),
        pdf=PdfOptions(artifacts_path=artifacts, ocr=read.flag("PDF_OCR")),
    )


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


def check_project_root(read: SettingsReader) -> None:
    """Refuse a root that is given too late, or that is not there.

    Raises:
        SettingError: says which of the two.
    """
    from ragcrawler.settings import RAGCRAWLER_ROOT

    if (given := read.text("RAGCRAWLER_ROOT")) != RAGCRAWLER_ROOT:
        expected = "in the environment, since it says where .env is; to set OUTPUT_DIR may be enough"
        raise SettingError("RAGCRAWLER_ROOT", given, expected)
    if not Path(given).is_dir():
        raise SettingError("RAGCRAWLER_ROOT", given, "a folder that is there")
