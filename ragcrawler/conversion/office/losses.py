"""What neither docling nor the marks keep of an Office file, counted in its parts."""

import fnmatch
import re
from zipfile import ZipFile

from ragcrawler.conversion.archives.archive import read_member
from ragcrawler.conversion.office.formats import DOCX, ODP, ODS, ODT, PPTX, XLSX, OfficeFormat

_FORMULAS = ("*/content.xml", re.compile(rb"<(?:math:)?math\b"), "formulas")
_LOSSES: dict[OfficeFormat, tuple[tuple[str, re.Pattern[bytes], str], ...]] = {
    DOCX: (("word/document.xml", re.compile(rb"<(?:dgm:relIds|w:object)\b"), "diagrams and objects"),),
    PPTX: (("ppt/slides/slide*", re.compile(rb"<dgm:relIds\b"), "diagrams"),),
    XLSX: (
        (
            "xl/worksheets/sheet*",
            re.compile(rb"(?:</f>|<f\b[^>]{0,200}/>)\s{0,9}(?:<v\s?/>|<v></v>)?</c>"),
            "results of formulas that the file does not hold",
        ),
    ),
    ODT: (_FORMULAS,),
    ODS: (_FORMULAS, ("content.xml", re.compile(rb"<office:annotation\b"), "comments")),
    ODP: (_FORMULAS, ("content.xml", re.compile(rb"<office:annotation\b"), "comments")),
}


def find_losses(form: OfficeFormat, archive: ZipFile, url: str) -> tuple[str, ...]:
    """One warning for each kind of loss."""
    warnings = []
    for part, pattern, phrase in _LOSSES[form]:
        count = _count(archive, part, pattern, url)
        if count:
            warnings.append(f"left out: {phrase} ({count})")
    return tuple(warnings)


_BLIP = re.compile(rb"<a:blip\b[^>]{0,300}\br:embed=")
_DRAWN = re.compile(rb'<draw:image\b[^>]{0,300}\bxlink:href="(?:\./)?Pictures/')
_PICTURES: dict[OfficeFormat, tuple[str, re.Pattern[bytes]]] = {
    DOCX: ("word/document.xml", _BLIP),
    PPTX: ("ppt/slides/slide*", _BLIP),
    XLSX: ("xl/drawings/drawing*", _BLIP),
    ODT: ("content.xml", _DRAWN),
    ODS: ("content.xml", _DRAWN),
    ODP: ("content.xml", _DRAWN),
}


def count_pictures(form: OfficeFormat, archive: ZipFile, url: str) -> int:
    """How many pictures the file shows."""
    return _count(archive, *_PICTURES[form], url)


def _count(archive: ZipFile, part: str, pattern: re.Pattern[bytes], url: str) -> int:
    names = fnmatch.filter(archive.namelist(), part)
    return sum(len(pattern.findall(read_member(archive, name, url))) for name in names)
