"""How deep an XML text is nested, measured without building a tree."""

from xml.parsers import expat

from ragcrawler.conversion.errors import ConversionError


class _Depth:
    """Counts open elements and stops the parser at the first excess."""

    def __init__(self, limit: int, name: str, url: str) -> None:
        self._limit = limit
        self._name = name
        self._url = url
        self._open = 0

    def start(self, _tag: str, _attributes: list[str]) -> None:
        self._open += 1
        if self._open > self._limit:
            message = f"{self._name} nests deeper than max_nesting_levels = {self._limit}"
            raise ConversionError("too_deep", message, url=self._url)

    def end(self, _tag: str) -> None:
        self._open -= 1

    def declaration(self, *_declaration: object) -> None:
        raise ConversionError("damaged", f"{self._name} declares entities of its own", url=self._url)


def check_xml_depth(text: bytes, name: str, url: str, limit: int) -> None:
    """Refuse XML that nests deeper than `limit` elements or declares entities.

    Raises:
        ConversionError: `too_deep`, or `damaged` where it is no XML.
    """
    depth = _Depth(limit, name, url)
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.StartElementHandler = depth.start
    parser.EndElementHandler = depth.end
    parser.EntityDeclHandler = depth.declaration
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, LookupError) as error:  # LookupError: an unknown encoding
        raise ConversionError("damaged", f"{name} is not XML: {error}", url=url) from error
