"""Detect the type of a file from its first bytes."""

import io
import zipfile
import zlib

_MARKS = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"RIFF", "application/x-riff"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "application/ogg"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x7fELF", "application/x-elf"),
    (b"\0asm", "application/wasm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"%!PS", "application/postscript"),
    (b"{\\rtf", "application/rtf"),
)
_PDF_HEADER_WITHIN_BYTES = 1024
_OPEN_XML = "application/vnd.openxmlformats-officedocument"
_OPEN_XML_PARTS = (
    ("word/document.xml", f"{_OPEN_XML}.wordprocessingml.document"),
    ("ppt/presentation.xml", f"{_OPEN_XML}.presentationml.presentation"),
    ("xl/workbook.xml", f"{_OPEN_XML}.spreadsheetml.sheet"),
)
_ZIP_TYPE_NAME_BYTES = 100


def proven_type(body: bytes) -> str:
    """The media type that a signature proves, "application/zip" for an archive of unknown kind, else ""."""
    if b"%PDF-" in body[:_PDF_HEADER_WITHIN_BYTES]:
        return "application/pdf"
    if body.startswith(b"PK\x03\x04"):
        return _archive_type(body)
    if body[4:8] == b"ftyp":
        return "video/mp4"
    return next((media_type for mark, media_type in _MARKS if body.startswith(mark)), "")


def _archive_type(body: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            names = frozenset(archive.namelist())
            if "mimetype" in names:
                # ODF and EPUB store their type as the archive's first, uncompressed member.
                with archive.open("mimetype") as member:
                    return member.read(_ZIP_TYPE_NAME_BYTES).decode("ascii", "replace").strip()
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError, EOFError, zlib.error):
        return "application/zip"
    return next((kind for part, kind in _OPEN_XML_PARTS if part in names), "application/zip")
