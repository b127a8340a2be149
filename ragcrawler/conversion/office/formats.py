"""The Office formats and where each keeps what."""

from dataclasses import dataclass

_OPEN_XML = "application/vnd.openxmlformats-officedocument"


@dataclass(frozen=True, slots=True)
class OfficeFormat:
    """One format of a zip archive with XML parts.

    Attributes:
        name: docling's name of it, and the file name extension.
        media_type: as in a `Content-Type` header.
        main_part: the member without which a file is not of this format.
        properties_part: the member with the Dublin Core properties.
    """

    name: str
    media_type: str
    main_part: str
    properties_part: str = "docProps/core.xml"


DOCX = OfficeFormat("docx", f"{_OPEN_XML}.wordprocessingml.document", "word/document.xml")
PPTX = OfficeFormat("pptx", f"{_OPEN_XML}.presentationml.presentation", "ppt/presentation.xml")
XLSX = OfficeFormat("xlsx", f"{_OPEN_XML}.spreadsheetml.sheet", "xl/workbook.xml")
ODT = OfficeFormat("odt", "application/vnd.oasis.opendocument.text", "content.xml", "meta.xml")
ODS = OfficeFormat("ods", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", "meta.xml")
ODP = OfficeFormat("odp", "application/vnd.oasis.opendocument.presentation", "content.xml", "meta.xml")
