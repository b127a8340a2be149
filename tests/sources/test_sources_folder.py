"""The walk through a folder, and what its files are called."""

import os
from pathlib import Path

import pytest

from ragcrawler.sources.folder import chapter_of, list_folder, media_type, read_file, source_url


def test_a_link_into_the_folder_is_followed_and_one_out_of_it_is_not(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    (root / "sub").mkdir(parents=True)
    (root / "a.md").write_text("a")
    (tmp_path / "secret.md").write_text("s")
    (root / "inside.md").symlink_to(root / "a.md")
    (root / "outside.md").symlink_to(tmp_path / "secret.md")
    (root / "loop").symlink_to(root)
    (root / "dead.md").symlink_to(root / "nothing.md")
    listing = list_folder(root)
    assert listing.paths == ["a.md", "dead.md", "inside.md"]  # reading `dead.md` fails, and is reported
    assert {(each.path, each.reason) for each in listing.left_out} >= {
        ("outside.md", "symlink"),
        ("loop", "symlink"),
    }


def test_a_folder_with_too_many_files_is_cut_and_says_so(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(name)
    listing = list_folder(tmp_path, max_files=2)
    assert listing.paths == ["a.md", "b.md"]
    assert [(each.path, each.reason) for each in listing.unread] == [("c.md", "too_many_files")]


def test_a_file_is_read_up_to_one_byte_over_its_bound(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"0123456789")
    assert read_file(tmp_path, "a.md", 4) == b"01234"


def test_a_pipe_in_the_place_of_a_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    with pytest.raises(OSError, match=r"a\.md is no file"):
        read_file(tmp_path, "a.md", 4)


@pytest.mark.parametrize(
    ("path", "base_url", "url"),
    [
        ("guide/my page.md", "", "guide/my page.md"),
        ("why?.md", "", "why%3F.md"),
        ("a#b 100%.md", "", "a%23b 100%25.md"),
        ("a\x1b[31m.md", "", "a%1B[31m.md"),
        (os.fsdecode(b"\xff.md"), "", "%FF.md"),
        ("guide/über.md", "https://a.org/d/", "https://a.org/d/guide/%C3%BCber.md"),
    ],
)
def test_a_path_becomes_an_address_that_reads_back(path: str, base_url: str, url: str) -> None:
    assert source_url(path, base_url) == url


def test_chapter_and_media_type_follow_from_the_path() -> None:
    assert (chapter_of("m1/week/x.md"), chapter_of("x.md")) == ("m1", "")
    assert (media_type("a/B.MD"), media_type("a.pdf")) == ("text/markdown", "")
