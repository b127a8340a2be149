"""A site and its questions, of documentation that was made by Sphinx and has a page of questions and answers.

    apt-get download borgbackup-doc && dpkg -x borgbackup-doc_*.deb unpacked
    python -m benchmarks.peers.faq_site unpacked/usr/share/doc/borgbackup/html OUT --faq '^faq'

Each heading of such a page becomes a question; what stands under it is the passage to be found. In OUT/site
the heading reads "Question 7", its anchor is gone, and links that repeat the question are renamed, so that
nothing but the answer can be found. A second question of the same words asks for the pages that the answer
links to, where they are five at most; pages of questions do not count there. OUT/queries.jsonl is read by
`benchmarks/retrieval_quality.py` and `benchmarks.peers.compare`.
"""

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

from lxml import html
from lxml.html import HtmlElement

# Indexes, sources and the like: they repeat what stands elsewhere.
LEFT_OUT = re.compile(r"(genindex|search|py-modindex|contents|copyright|download|_)")
LEAST_WORDS, LEAST_CHARACTERS, MOST_LINKS = 4, 60, 5
_SECTIONS = "//section[not(.//section)]|//div[@class='section'][not(.//div[@class='section'])]"


@dataclass(frozen=True)
class Question:
    page: str
    text: str
    answer: str
    links: tuple[str, ...]

    def records(self, number: int, faq_pages: list[str]) -> Iterator[dict[str, object]]:
        gold = [{"url": self.page, "text": self.answer}]
        yield {"qid": f"faq-{number}", "kind": "faq", "query": self.text, "gold": gold, "exclude": []}
        if 0 < len(self.links) <= MOST_LINKS:
            gold = [{"url": link, "text": ""} for link in self.links]
            yield {
                "qid": f"link-{number}",
                "kind": "faqlink",
                "query": self.text,
                "gold": gold,
                "exclude": faq_pages,
            }


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("¶", "")).strip()


def questions(
    tree: HtmlElement, page: str, pages: set[str], faq_pages: list[str], first: int
) -> list[Question]:
    """The questions of a page, whose headings are masked in the tree."""
    found: list[Question] = []
    for section in tree.xpath(_SECTIONS):
        (heading,) = section.xpath("(./h2|./h3|./h4)[1]") or [None]
        if heading is None:
            continue
        text = words(heading.text_content())
        answer = words(section.text_content())[len(text) :].strip()
        if len(text.split()) < LEAST_WORDS or len(answer) < LEAST_CHARACTERS:
            continue
        linked = [unquote(urldefrag(urljoin(page, each))[0]) for each in section.xpath(".//a/@href")]
        links = dict.fromkeys(each for each in linked if each in pages and each not in faq_pages)
        for element in (section, *section.xpath("./span[@id]"), *heading.iter()):
            element.attrib.pop("id", None)
        tail = heading.tail
        heading.clear()
        heading.text, heading.tail = f"Question {first + len(found)}", tail
        found.append(Question(page, text, answer[:4000], tuple(links)))
    return found


def rename_links(tree: HtmlElement, asked: dict[str, str]) -> None:
    """Links whose words are a question get the words of its masked heading."""
    for link in tree.xpath("//a[@href]"):
        if masked := asked.get(words(link.text_content())):
            tail = link.tail
            link.clear()
            link.text, link.tail = masked, tail


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documentation", type=Path, metavar="FOLDER")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--faq", default="^faq", help="regular expression for the pages of questions")
    options = parser.parse_args()
    files = {
        path.relative_to(options.documentation).as_posix(): path
        for path in options.documentation.rglob("*.html")
    }
    pages = {
        name: html.parse(str(path), html.HTMLParser(encoding="utf-8")).getroot()
        for name, path in files.items()
        if not LEFT_OUT.match(name)
    }
    faq_pages = sorted(name for name in pages if re.search(options.faq, name))
    found: list[Question] = []
    for name in faq_pages:
        found += questions(pages[name], name, set(pages), faq_pages, len(found) + 1)
    asked = {question.text: f"Question {number}" for number, question in enumerate(found, start=1)}
    for name, tree in pages.items():
        rename_links(tree, asked)
        target = options.out / "site" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(html.tostring(tree, encoding="utf-8", doctype="<!DOCTYPE html>"))
    lines = [
        json.dumps(record, ensure_ascii=False)
        for number, question in enumerate(found, start=1)
        for record in question.records(number, faq_pages)
    ]
    (options.out / "queries.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(pages)} pages, {len(lines)} questions in {options.out}")


if __name__ == "__main__":
    main()
