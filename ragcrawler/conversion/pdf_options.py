"""How PDFs are converted: by docling's models where their weights lie at hand, else by the text layer."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PdfOptions:
    """The choice between the two paths. It is made here, never by a download that may or may not succeed.

    Attributes:
        artifacts_path: folder of docling's weights, as `docling-tools models download` fills it; "" for the
            text layer, which needs none.
        ocr: read scanned pages; needs the weights.

    Raises:
        ValueError: the folder does not exist, or OCR is asked for without weights.
    """

    artifacts_path: str = ""
    ocr: bool = False

    def __post_init__(self) -> None:
        if self.artifacts_path and not Path(self.artifacts_path).is_dir():
            raise ValueError(
                f"artifacts_path is {self.artifacts_path!r}, which is no folder: fill one by "
                "`docling-tools models download -o FOLDER`, or leave it empty for the text layer"
            )
        if self.ocr and not self.artifacts_path:
            raise ValueError("ocr is on without artifacts_path: OCR needs docling's weights")
