"""Character encodings that a page may claim."""

import codecs
import re

# Python's registry holds more than the web's encodings: decoding "punycode" takes quadratic time, "idna" and
# "undefined" raise whatever the error handler, "zlib" is no text.
_OF_THE_WEB = re.compile(
    r"ascii|utf-(?:8|16|32)|iso8859|cp\d|koi8|mac-|shift_jis|euc_|gb|big5|hz|iso2022|tis-620|johab|kz1048|ptcp154"
)


def web_encoding(label: str) -> str:
    """The name of Python's codec for an encoding; "utf-8" for what is none that a page could be in."""
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return "utf-8"
    return name if _OF_THE_WEB.match(name) else "utf-8"
