"""Element names, grouped by their meaning for text."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_BLOCK_NAMES = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend li main
menu nav noframes ol optgroup option p pre search section summary table tbody td tex-display tfoot
th thead tr ul xmp
"""
_INVISIBLE_NAMES = """
area audio base basefont bgsound canvas col colgroup datalist embed head iframe input link map meta
noscript object param progress script select style svg template textarea title video
"""

BLOCKS = frozenset(_BLOCK_NAMES.split())
"""Elements that begin a new block; everything else runs along in the line."""

INVISIBLE = frozenset(_INVISIBLE_NAMES.split())
"""Elements whose content is no text of the page."""

ATOMS = frozenset(("pre", "xmp", *HEADINGS))
"""Blocks that are kept or dropped whole."""
