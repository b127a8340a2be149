"""An answer as a person reads it, and as JSON types."""

from typing import IO, Any

from ragcrawler.retrieval.answering.answer import Answer
from ragcrawler.retrieval.formatting.records import citation_record
from ragcrawler.retrieval.formatting.terminal_lines import INDENT, SUSPICIOUS, one_line, path_line, title


def print_answer(answer: Answer, out: IO[str]) -> None:
    """The statements with the numbers of their sources, then these sources and what was quoted of them."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, markup=False, emoji=False)
    indent = " " * INDENT
    for statement in answer.statements:
        numbers = sorted({citation.source for citation in statement.citations})
        marks = "".join(f"[{number}]" for number in numbers)
        console.print(Text(statement.text).append(f" {marks}", style="cyan"), soft_wrap=True)
    for number in answer.cited:
        source = answer.sources[number - 1]
        name = title(source.title) or title(source.hits[0].source_url)
        lines = [Text(""), Text(f"[{number}] {name}", style="bold")]
        if path := path_line(source.section_path, source.title):
            lines.append(Text(indent + path, style="cyan"))
        lines.append(Text(indent + one_line(source.link), style="blue"))
        if source.suspicious:
            lines.append(Text(indent + SUSPICIOUS, style="yellow"))
        lines += [Text(f'{indent}"{quote}"', style="dim") for quote in _quotes(answer, number)]
        for line in lines:
            console.print(line, soft_wrap=True)


def answer_record(answer: Answer) -> dict[str, Any]:
    """The answer for programs; the sources are all that the model was shown."""
    return {
        "answered": bool(answer.statements),
        "statements": [
            {
                "text": statement.text,
                "citations": [{"source": each.source, "quote": each.quote} for each in statement.citations],
            }
            for statement in answer.statements
        ],
        "sources": [
            {"source": number, "cited": number in answer.cited, **citation_record(each)}
            for number, each in enumerate(answer.sources, start=1)
        ],
        "struck_quotes": answer.struck_quotes,
        "struck_statements": answer.struck_statements,
    }


def _quotes(answer: Answer, number: int) -> list[str]:
    found = (each for statement in answer.statements for each in statement.citations)
    return list(dict.fromkeys(each.quote for each in found if each.source == number))
