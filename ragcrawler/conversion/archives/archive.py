"""Office files and books are zip archives: what one may hold is checked before anything is unpacked."""

from io import BytesIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits

_MAX_MEMBERS = 20_000
_ENCRYPTED_FLAG = 0x1
# An encrypted Office file is no zip but an OLE container with the ciphertext inside.
_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def open_archive(body: bytes, url: str, limits: ConversionLimits) -> ZipFile:
    """Open a zip archive whose declared content is within the limits.

    The declared sizes bound what can come out: `zipfile` stops reading a member at its declared size.

    Raises:
        ConversionError: `encrypted`, `damaged`, or `too_large`.
    """
    if body.startswith(_OLE_SIGNATURE):
        raise ConversionError(
            "encrypted", "an OLE container: an Office file with a password or of before 2007", url=url
        )
    try:
        archive = ZipFile(BytesIO(body))
    except (BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise ConversionError("damaged", f"the zip archive cannot be opened: {error}", url=url) from error
    _check_members(archive.infolist(), url, limits)
    return archive


def read_member(archive: ZipFile, name: str, url: str) -> bytes:
    """Unpack one member; b"" where there is none of that name.

    Raises:
        ConversionError: `damaged`.
    """
    try:
        return archive.read(name)
    except KeyError:
        return b""
    # zlib.error, and what zipfile makes of a hostile header: struct.error, EOFError, UnicodeDecodeError
    except Exception as error:
        raise ConversionError("damaged", f"archive member {name!r}: {error}", url=url) from error


def _check_members(members: list[ZipInfo], url: str, limits: ConversionLimits) -> None:
    if any(member.flag_bits & _ENCRYPTED_FLAG for member in members):
        raise ConversionError("encrypted", "members of the archive are encrypted", url=url)
    if len(members) > _MAX_MEMBERS:
        raise ConversionError("too_large", f"{len(members)} archive members, over {_MAX_MEMBERS}", url=url)
    total = sum(member.file_size for member in members)
    if total > limits.max_decompressed_bytes:
        message = f"{total} bytes unpacked, over max_decompressed_bytes = {limits.max_decompressed_bytes}"
        raise ConversionError("too_large", message, url=url)
