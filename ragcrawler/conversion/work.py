"""How much work one document may make, over all of its parts: chapters, attachments, outputs of cells.

A bound for each part would let a small archive of many parts take hours. What time goes with is counted: a
document is refused after seconds, not by its worker's clock.
"""

from ragcrawler.conversion.errors import ConversionError

# Each takes 10 to 60 microseconds.
_MAX_ELEMENTS = 1_000_000
_MAX_PLACES = 2_000_000
# A page of three words takes as long as that many elements.
_ELEMENTS_A_PAGE = 200


class Work:
    """Counts the work that a document makes.

    Args:
        url: the document.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._elements = 0
        self._places = 0

    def elements(self, count: int) -> None:
        """Count elements: blocks, cells, tags.

        Raises:
            ConversionError: `too_large`.
        """
        self._elements += count
        if self._elements > _MAX_ELEMENTS:
            raise self._too_large(f"over {_MAX_ELEMENTS} elements, of all its parts together")

    def page(self, elements: int) -> None:
        """Count a page of HTML.

        Raises:
            ConversionError: `too_large`.
        """
        self.elements(_ELEMENTS_A_PAGE + elements)

    def table(self, rows: int, columns: int) -> None:
        """Count the places of a table, empty ones too.

        Raises:
            ConversionError: `too_large`.
        """
        self._places += rows * columns
        if self._places > _MAX_PLACES:
            raise self._too_large(
                f"tables with over {_MAX_PLACES} places: one has {rows} rows, {columns} columns"
            )

    def _too_large(self, message: str) -> ConversionError:
        return ConversionError("too_large", message, url=self._url)
