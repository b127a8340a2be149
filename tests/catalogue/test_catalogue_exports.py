"""Documents leave a collection as files: names from the web are safe, and nothing of others is touched."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from ragcrawler.catalogue import DocumentRecord, SqliteCatalogue, site_of
from ragcrawler.catalogue.exports import (
    ExportedDocument,
    FolderError,
    exported_documents,
    write_json_lines,
    write_llms_text,
    write_markdown_folder,
)
from ragcrawler.catalogue.exports.file_names import FileNames
from ragcrawler.conversion import convert
from ragcrawler.items import ChunkExtra, Document, Metadata, SemanticChunk
from ragcrawler.urls.identity import document_id
from ragcrawler.urls.listings import read_listing

SITE = "https://docs.example.org"


def exported(url: str, markdown: str = "# Pumps\n\nPrime them.", **fields: Any) -> ExportedDocument:
    aliases = fields.pop("aliases", ())
    values = {"title": "Pumps", "language": "en", "content_hash": url, "fetched_at": "2026-01-01"} | fields
    return ExportedDocument(Document(id=document_id(url), url=url, markdown=markdown, **values), aliases)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (f"{SITE}/", "docs.example.org/index.md"),
        (SITE, "docs.example.org/index.md"),
        (f"{SITE}/guide", "docs.example.org/guide.md"),
        (f"{SITE}/guide/", "docs.example.org/guide/index.md"),
        (f"{SITE}/guide/pumps.html", "docs.example.org/guide/pumps.md"),
        (f"{SITE}/README.md", "docs.example.org/README.md"),
        (f"{SITE}/v1.2/release-1.2", "docs.example.org/v1.2/release-1.2.md"),
        ("http://127.0.0.1:8000/a", "127.0.0.1_8000/a.md"),
        (f"{SITE}/%C3%BCber%20uns", "docs.example.org/über-uns.md"),
        (f"{SITE}/?page=2", f"docs.example.org/index-{document_id(f'{SITE}/?page=2')[:8]}.md"),
        # Names that a site may choose to reach into the machine, or to make trouble there.
        (f"{SITE}/%2e%2e/%2e%2e/etc/passwd", "docs.example.org/_/_/etc/passwd.md"),
        (f"{SITE}/..%2f..%2fetc%2fpasswd", "docs.example.org/etc-passwd.md"),
        (f"{SITE}/a%00b%0Ac", "docs.example.org/a-b-c.md"),
        (f"{SITE}/.git/config", "docs.example.org/git/config.md"),
        (f"{SITE}/con/aux.html", "docs.example.org/_con/_aux.md"),
        (f"{SITE}/guide.md/part", "docs.example.org/guide.md_/part.md"),
        (f"{SITE}/{'x' * 300}", f"docs.example.org/{'x' * 80}.md"),
    ],
)
def test_a_file_is_named_after_its_url(url: str, path: str) -> None:
    assert str(FileNames().of(url, document_id(url))) == path


def test_a_path_of_too_many_parts_is_cut_and_told_apart() -> None:
    names = FileNames()
    first = names.of(f"{SITE}/{'a/' * 40}x", "1" * 32)
    assert len(first.parts) == 12
    assert first.name == "x-11111111.md"
    assert names.of(f"{SITE}/{'a/' * 41}x", "2" * 32) != first


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("/README", "/readme"),
        ("/guide.html", "/guide"),
        ("/a%20b", "/a-b"),
        ("/", "/index"),
        ("/x?a", "/x?b"),
    ],
)
def test_two_documents_never_get_one_file(one: str, two: str) -> None:
    names = FileNames()
    paths = [
        str(names.of(SITE + each, document_id(f"{SITE}/{number}"))) for number, each in enumerate((one, two))
    ]
    assert len({path.casefold() for path in paths}) == 2


def files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".ragcrawler-export"
    }


def test_a_markdown_file_says_where_it_is_from_and_is_read_back_as_it_was(tmp_path: Path) -> None:
    text = "# Pumps\n\nPrime them: *well*.\n\n---\n\nThe end."
    title = 'Pumps: "how" they\nwork #1 \N{BELL} — \U0001f6b0'
    one = exported(f"{SITE}/pumps", text, title=title, aliases=(f"{SITE}/old",))
    assert write_markdown_folder(tmp_path / "out", [one], tmp_path) == 1
    ((name, written),) = files(tmp_path / "out").items()
    assert name == "docs.example.org/pumps.md"
    assert f"url: {SITE}/pumps\n" in written
    assert f"aliases:\n- {SITE}/old\n" in written
    back = convert(written.encode(), "text/markdown", f"{SITE}/pumps")
    assert back.title == " ".join(title.split())
    assert back.markdown.strip() == text


def test_the_next_export_removes_what_is_gone_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    both = [exported(f"{SITE}/a/one"), exported(f"{SITE}/b/two")]
    write_markdown_folder(folder, both, tmp_path)
    (folder / "docs.example.org" / "b" / "mine.txt").write_text("by hand")
    (folder / "docs.example.org" / "a" / "mine.md").write_text("by hand")
    write_markdown_folder(folder, [exported(f"{SITE}/c", "# New")], tmp_path)
    assert set(files(folder)) == {
        "docs.example.org/c.md",
        "docs.example.org/a/mine.md",
        "docs.example.org/b/mine.txt",
    }


def test_folders_left_empty_go_too(tmp_path: Path) -> None:
    write_markdown_folder(tmp_path / "out", [exported(f"{SITE}/a/b/c")], tmp_path)
    write_markdown_folder(tmp_path / "out", [], tmp_path)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".ragcrawler-export"]


def test_an_export_that_was_killed_leaves_nothing_that_the_next_does_not_know(tmp_path: Path) -> None:
    def killed() -> Any:
        yield exported(f"{SITE}/one")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_markdown_folder(tmp_path / "out", killed(), tmp_path)
    write_markdown_folder(tmp_path / "out", [exported(f"{SITE}/two")], tmp_path)
    assert set(files(tmp_path / "out")) == {"docs.example.org/two.md"}


def test_a_folder_with_files_of_others_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FolderError, match="no export has written"):
        write_markdown_folder(tmp_path, [exported(SITE)], tmp_path)
    with pytest.raises(FolderError, match="is a file"):
        write_markdown_folder(tmp_path / "notes.txt", [exported(SITE)], tmp_path)
    assert files(tmp_path) == {"notes.txt": "mine"}


def test_a_list_that_names_files_outside_of_the_folder_removes_none(tmp_path: Path) -> None:
    outside = tmp_path / "precious.md"
    outside.write_text("mine")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / ".ragcrawler-export").write_text(f"../precious.md\n{outside}\n")
    write_markdown_folder(folder, [], tmp_path)
    assert outside.read_text() == "mine"


def test_pictures_come_along_and_the_text_finds_them(tmp_path: Path) -> None:
    url = f"{SITE}/papers/pump.pdf"
    own = document_id(url)
    pictures = tmp_path / "images"
    (pictures / own).mkdir(parents=True)
    (pictures / own / "one.png").write_bytes(b"picture")
    text = f"![a](images/{own}/one.png) ![b](images/{own}/lost.png) ![c](images/../../etc/passwd)"
    write_markdown_folder(tmp_path / "out", [exported(url, text)], pictures)
    file = tmp_path / "out" / "docs.example.org" / "papers" / "pump.pdf.md"
    (link,) = re.findall(r"\((\S*one\.png)\)", file.read_text())
    assert (file.parent / link).read_bytes() == b"picture"
    assert len(list((tmp_path / "out" / "images").rglob("*.*"))) == 1


OVERVIEW = """\
# Waterworks

> All about water.

## Start

- [Waterworks](https://docs.example.org/): All about water.
- [About us](https://docs.example.org/about)

## guide

- [Pumps (old)](https://docs.example.org/guide/pumps_%28old%29): How they work.
"""


def test_llms_txt_names_every_page_by_the_form_of_llmstxt_org(tmp_path: Path) -> None:
    pages = [
        exported(
            f"{SITE}/", "# Waterworks\n\nHello.", title="Waterworks", metadata=Metadata("All about\nwater.")
        ),
        exported(f"{SITE}/about", "We pump.", title="About us"),
        exported(f"{SITE}/guide/pumps_(old)", title="Pumps [old]", metadata=Metadata("How they work.")),
    ]
    assert write_llms_text(tmp_path / "site", pages, "ragcrawler") == 3
    assert (tmp_path / "site" / "llms.txt").read_text("utf-8") == OVERVIEW
    assert (tmp_path / "site" / "llms-full.txt").read_text("utf-8") == (
        f"# Waterworks\n\nSource: {SITE}/\n\nHello.\n\n"
        f"# About us\n\nSource: {SITE}/about\n\nWe pump.\n\n"
        f"# Pumps\n\nSource: {SITE}/guide/pumps_%28old%29\n\nPrime them.\n\n"
    )
    # What reads llms.txt in a crawl finds the same pages.
    listing = read_listing((tmp_path / "site" / "llms.txt").read_bytes(), f"{SITE}/llms.txt")
    assert [unquote(page.url) for page in listing.pages] == [page.document.url for page in pages]
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == ["llms-full.txt", "llms.txt"]


def test_several_sites_have_a_section_each_under_the_name_of_the_collection(tmp_path: Path) -> None:
    pages = [exported("https://a.example/x/y", title=""), exported("https://b.example/")]
    write_llms_text(tmp_path, pages, "waterworks")
    assert (tmp_path / "llms.txt").read_text("utf-8").splitlines() == [
        "# waterworks",
        "",
        "## a.example",
        "",
        "- [https://a.example/x/y](https://a.example/x/y)",
        "",
        "## b.example",
        "",
        "- [Pumps](https://b.example/)",
    ]


def record(document: Document) -> DocumentRecord:
    return DocumentRecord(document.id, document.url, site_of(document.url), "p", document.content_hash, "v")


def test_documents_come_by_url_and_those_without_a_text_from_their_chunks() -> None:
    two, one, none = (exported(f"{SITE}/{name}").document for name in ("two", "one", "none"))
    parts = [
        SemanticChunk(
            f"c{n}", f"c{n}", one.id, text, "h", 1, text, 0, 1, n, document_title="One", extra=extra
        )
        for n, (text, extra) in enumerate(
            [("# One", ChunkExtra()), ("Cut", ChunkExtra(full_text_key="k", full_text="Cut no more."))]
        )
    ]
    with SqliteCatalogue(None) as catalogue:
        catalogue.put([record(two), record(one), record(none)], {one.id: parts}, [two])
        catalogue.put([replace(record(two), aliases=(f"{SITE}/zwei",))])
        found = list(exported_documents(catalogue))
        assert [(each.document.url, each.is_composed) for each in found] == [
            (f"{SITE}/one", True),
            (f"{SITE}/two", False),
        ]
        assert (found[0].document.title, found[0].document.markdown) == ("One", "# One\n\nCut no more.")
        assert found[1].aliases == (f"{SITE}/zwei",)
        assert replace(found[1].document, fetched_at="", page_hash="") == replace(two, fetched_at="")
        out = io.BytesIO()
        assert write_json_lines(out, found) == 2
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["markdown"] for line in lines] == ["# One\n\nCut no more.", two.markdown]
    assert lines[1]["aliases"] == [f"{SITE}/zwei"]
