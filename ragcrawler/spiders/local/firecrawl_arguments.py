"""The `-a` arguments of the firecrawl spider."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ragcrawler.run.crawl_options import CrawlOptions
from ragcrawler.sources.firecrawl.chunk_file import SHAPES
from ragcrawler.spiders.argument_table import Argument
from ragcrawler.spiders.arguments import ArgumentError, read_flag, refuse_unknown

FIRECRAWL_ARGUMENTS = (
    Argument("path", "export.json", "the file that FireCrawl wrote"),
    Argument("output", "chunks.json", "write the chunks to this file too, as a JSON list"),
    Argument("shape", "anthropic", "of that list: chunks (the default) or anthropic, that of its tutorial"),
    Argument("dry_run", "1", "say what would change in the collection, and write nothing (--dry-run)"),
)


@dataclass(frozen=True, slots=True)
class FireCrawlArguments:
    """The arguments of a crawl of an export, parsed.

    Attributes:
        path: of the export.
        output: the file of chunks, None where none is asked for.
        shape: of its entries.
        is_dry: whether nothing is stored, and the report says what would be.
    """

    path: Path
    output: Path | None = None
    shape: str = "chunks"
    is_dry: bool = False

    @classmethod
    def parse(cls, arguments: Mapping[str, str]) -> "FireCrawlArguments":
        """Read the arguments.

        Raises:
            ArgumentError: a name is unknown, or a value is invalid.
        """
        refuse_unknown(arguments, [argument.name for argument in FIRECRAWL_ARGUMENTS], "firecrawl")
        path, output = arguments.get("path", ""), arguments.get("output", "")
        shape = arguments.get("shape", "chunks")
        if not Path(path).is_file():
            raise ArgumentError(f"-a path={path} should be a JSON file of FireCrawl, export.json for example")
        if output and not Path(output).absolute().parent.is_dir():
            raise ArgumentError(f"-a output={output}: its folder does not exist; make it first")
        if shape not in SHAPES:
            raise ArgumentError(f"-a shape={shape} should be one of {', '.join(SHAPES)}")
        is_dry = read_flag("dry_run", arguments.get("dry_run", ""))
        return cls(Path(path), Path(output) if output else None, shape, is_dry)

    @property
    def options(self) -> CrawlOptions:
        """The options of the crawl: nothing is deleted, for the export may be incomplete."""
        return CrawlOptions(is_dry=self.is_dry)
