"""Short text that stands in many places: a title, a heading, a name."""

LABEL_CHARACTERS = 1_000
CUT_MARK = "…"


def bounded_label(text: str) -> str:
    """The text; where it has over 1,000 characters, its beginning with the mark "…" at the end.

    A title stands in every chunk of its document, a heading in every chunk below it: of a page with a title
    of a megabyte and as much text the chunks would take gigabytes.
    """
    return text if len(text) <= LABEL_CHARACTERS else split_label(text)[0]


def split_label(text: str) -> tuple[str, str]:
    """A label of at most 1,000 characters, marked where it was cut, and the rest of the text."""
    if len(text) <= LABEL_CHARACTERS:
        return text, ""
    longest = LABEL_CHARACTERS - len(CUT_MARK)
    at = text.rfind(" ", longest // 2, longest + 1)
    at = longest if at < 0 else at
    return text[:at].rstrip() + CUT_MARK, text[at:].lstrip()
