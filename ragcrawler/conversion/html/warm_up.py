"""Importing this converts one page: the extractor then has read its 100 lists of stop words.

Where workers are forked after that, none of them has to read the lists, and all share their memory.
"""

from ragcrawler.conversion.html.convert_html import convert_html
from ragcrawler.conversion.limits import ConversionLimits

# Only where it finds little text does the extractor ask the one that needs the words.
convert_html("<html><body><p>Some words.</p></body></html>", "https://a.example/", ConversionLimits())
