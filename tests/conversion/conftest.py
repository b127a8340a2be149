"""PDFs for tests, drawn by hand: what stands where is known to the point."""

import zlib
from dataclasses import dataclass, field

import pytest

_FONTS = (
    "Helvetica",
    "Helvetica-Bold",
    "Helvetica-Oblique",
    "Courier",
    "Times-Roman",
)


@dataclass
class PageDraft:
    """One page; y grows downwards, text stands on its baseline."""

    width: float = 595
    height: float = 842
    rotate: int = 0
    drawing: list[str] = field(default_factory=list)
    links: list[tuple[tuple[float, float, float, float], str]] = field(default_factory=list)
    images: list[tuple[tuple[float, float, float, float], tuple[int, int, bytes]]] = field(
        default_factory=list
    )
    annotations: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, font: str = "Helvetica", size: float = 10) -> "PageDraft":
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        place = f"1 0 0 1 {x} {self.height - y} Tm"
        self.drawing.append(f"BT /F{_FONTS.index(font)} {size} Tf {place} ({escaped}) Tj ET")
        return self

    def lines(self, x: float, y: float, texts: str, font: str = "Helvetica", size: float = 10) -> "PageDraft":
        """Several lines at 1.2 times the size."""
        for number, text in enumerate(texts.split("\n")):
            if text.strip():
                indent = (len(text) - len(text.lstrip())) * size * 0.6 if font == "Courier" else 0
                self.text(x + indent, y + number * size * 1.2, text.lstrip(), font, size)
        return self

    def sideways(self, x: float, y: float, text: str, size: float = 10) -> "PageDraft":
        """Text that reads from bottom to top."""
        self.drawing.append(f"BT /F0 {size} Tf 0 1 -1 0 {x} {self.height - y} Tm ({text}) Tj ET")
        return self

    def invisible(self, x: float, y: float, text: str, size: float = 10) -> "PageDraft":
        """Text that is not painted, as OCR lays it over a scan."""
        self.drawing.append(f"BT 3 Tr /F0 {size} Tf 1 0 0 1 {x} {self.height - y} Tm ({text}) Tj 0 Tr ET")
        return self

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> "PageDraft":
        self.drawing.append(f"0.5 w {x0} {self.height - y0} m {x1} {self.height - y1} l S")
        return self

    def fill(self, x0: float, top: float, x1: float, bottom: float) -> "PageDraft":
        self.drawing.append(f"0.9 g {x0} {self.height - bottom} {x1 - x0} {bottom - top} re f 0 g")
        return self

    def grid(self, xs: list[float], ys: list[float]) -> "PageDraft":
        for x in xs:
            self.rule(x, ys[0], x, ys[-1])
        for y in ys:
            self.rule(xs[0], y, xs[-1], y)
        return self

    def link(self, x0: float, top: float, x1: float, bottom: float, url: str) -> "PageDraft":
        self.links.append(((x0, self.height - bottom, x1, self.height - top), url))
        return self

    def annotation(self, subtype: str, **entries: str) -> "PageDraft":
        """One in the lower left corner; the entries are written as they are."""
        said = " ".join(f"/{key} {value}" for key, value in entries.items())
        self.annotations.append(f"<< /Type /Annot /Subtype /{subtype} /Rect [0 0 50 20] {said} >>")
        return self

    def image(self, x0: float, top: float, x1: float, bottom: float, grey: int = 100) -> "PageDraft":
        pixels = bytes([grey]) * (64 * 64)
        self.images.append(((x0, self.height - bottom, x1, self.height - top), (64, 64, pixels)))
        return self


class PdfDraft:
    """A document of drawn pages."""

    def __init__(self) -> None:
        self.pages: list[PageDraft] = []
        self.outline: list[tuple[str, int, float]] = []
        self.information: dict[str, str] = {}
        self.is_encrypted = False
        self.language = ""
        self.attachments: list[str] = []
        self._objects: list[bytes] = []

    def page(self, **size: float) -> PageDraft:
        page = PageDraft(**size)  # type: ignore[arg-type]
        self.pages.append(page)
        return page

    def bookmark(self, title: str, page: int, y: float) -> None:
        """A flat outline is enough: levels come from looks."""
        self.outline.append((title, page, y))

    def _add(self, content: str | bytes) -> int:
        self._objects.append(content.encode("latin-1") if isinstance(content, str) else content)
        return len(self._objects)

    def _stream(self, head: str, data: bytes) -> int:
        packed = zlib.compress(data)
        begin = f"<< {head} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n".encode("latin-1")
        return self._add(begin + packed + b"\nendstream")

    def _page(self, page: PageDraft, tree: int, fonts: str) -> int:
        drawing = list(page.drawing)
        images = ""
        for number, ((x0, bottom, x1, top), (width, height, pixels)) in enumerate(page.images):
            head = f"/Type /XObject /Subtype /Image /Width {width} /Height {height}"
            image = self._stream(f"{head} /ColorSpace /DeviceGray /BitsPerComponent 8", pixels)
            images += f"/I{number} {image} 0 R "
            drawing.append(f"q {x1 - x0} 0 0 {top - bottom} {x0} {bottom} cm /I{number} Do Q")
        content = self._stream("", "\n".join(drawing).encode("latin-1"))
        notes = " ".join(
            f"<< /Type /Annot /Subtype /Link /Rect [{' '.join(map(str, box))}] /Border [0 0 0] "
            f"/A << /S /URI /URI ({url}) >> >>"
            for box, url in page.links
        )
        return self._add(
            f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {page.width} {page.height}] "
            f"/Rotate {page.rotate} /Annots [{notes} {' '.join(page.annotations)}] /Contents {content} 0 R "
            f"/Resources << /Font << {fonts} >> /XObject << {images} >> >> >>"
        )

    def _bookmarks(self, pages: list[int]) -> int:
        first = len(self._objects) + 1
        root = first + len(self.outline)
        for number, (title, page, y) in enumerate(self.outline):
            after = f"/Next {first + number + 1} 0 R" if number + 1 < len(self.outline) else ""
            before = f"/Prev {first + number - 1} 0 R" if number else ""
            place = f"[{pages[page]} 0 R /XYZ 0 {self.pages[page].height - y} 0]"
            self._add(f"<< /Title ({title}) /Parent {root} 0 R {before} {after} /Dest {place} >>")
        last = first + len(self.outline) - 1
        return self._add(
            f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(self.outline)} >>"
        )

    def _attached(self) -> str:
        if not self.attachments:
            return ""
        files = " ".join(f"({name}) << /Type /Filespec /F ({name}) >>" for name in self.attachments)
        return f"/Names << /EmbeddedFiles << /Names [{files}] >> >>"

    def write(self) -> bytes:
        """The file."""
        self._objects = [b"", b""]  # catalogue and page tree, once the rest is known
        encoding = "/Encoding /WinAnsiEncoding"
        numbers = [
            self._add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} {encoding} >>") for name in _FONTS
        ]
        fonts = " ".join(f"/F{index} {number} 0 R" for index, number in enumerate(numbers))
        pages = [self._page(page, 2, fonts) for page in self.pages]
        outline = f"/Outlines {self._bookmarks(pages)} 0 R" if self.outline else ""
        language = f"/Lang ({self.language})" if self.language else ""
        self._objects[0] = (
            f"<< /Type /Catalog /Pages 2 0 R {outline} {language} {self._attached()} >>".encode()
        )
        kids = " ".join(f"{number} 0 R" for number in pages)
        self._objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
        said = " ".join(f"/{key} ({value})" for key, value in self.information.items())
        return self._file(self._add(f"<< {said} >>"))

    def _file(self, information: int) -> bytes:
        body = bytearray(b"%PDF-1.7\n")
        offsets = []
        for number, content in enumerate(self._objects, start=1):
            offsets.append(len(body))
            body += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
        start = len(body)
        body += f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n".encode()
        body += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
        # no password opens it: the keys are made up
        keys = f"/O <{'ab' * 32}> /U <{'cd' * 32}>"
        lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 {keys} /P -4 >> /ID [<00> <00>]"
        locked = lock if self.is_encrypted else ""
        size = len(offsets) + 1
        body += f"trailer << /Size {size} /Root 1 0 R /Info {information} 0 R {locked} >>\n".encode()
        return bytes(body + f"startxref\n{start}\n%%EOF\n".encode())


@pytest.fixture
def pdf_draft() -> PdfDraft:
    """An empty PDF to draw on."""
    return PdfDraft()
