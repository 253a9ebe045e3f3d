"""Files, folders and archives of exports: told apart by what they hold, read in any encoding, and never unpacked."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bench.foreign_exports import WRITERS
from tests.client import exports
from workspace_memory.importing import formats, partial_json, sources
from workspace_memory.importing.encodings import decode
from workspace_memory.importing.entry_lines import EntryLines
from workspace_memory.importing.items import Item, MemoryItem, MessageItem, Skipped


def archive(path: Path, files: dict[str, str | bytes], **options: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return path


def codes(items: list[Item]) -> list[str]:
    return [item.code for item in items if isinstance(item, Skipped)]


@pytest.mark.parametrize("format", WRITERS)
def test_every_export_is_told_by_what_it_holds(tmp_path: Path, format: str) -> None:
    written = WRITERS[format](tmp_path, 30)

    items = list(formats.items_of(written.path, formats.format_of(written.path)))

    assert formats.format_of(written.path) == format
    assert len([item for item in items if not isinstance(item, Skipped)]) == written.items
    assert set(codes(items)) <= {"other_file"}


@pytest.mark.parametrize("format", WRITERS)
def test_every_export_is_read_out_of_a_folder_and_an_archive(tmp_path: Path, format: str) -> None:
    written = WRITERS[format](tmp_path, 30)
    if written.path.suffix == ".zip":
        with zipfile.ZipFile(written.path) as opened:
            opened.extractall(tmp_path / "folder")
    else:
        (tmp_path / "folder").mkdir()
        written.path.rename(tmp_path / "folder" / written.path.name)
    files = [file for file in (tmp_path / "folder").rglob("*") if file.is_file()]
    named = {file.relative_to(tmp_path / "folder").as_posix(): file.read_bytes() for file in files}
    packed = archive(tmp_path / "packed.zip", {**named})

    read = [list(formats.items_of(path, formats.format_of(path))) for path in (tmp_path / "folder", packed)]

    assert formats.format_of(packed) == format
    assert read[0] == read[1]
    assert len([item for item in read[0] if not isinstance(item, Skipped)]) == written.items


def test_conversations_in_several_files_are_one_export(tmp_path: Path) -> None:
    other = exports.CHATGPT_CONVERSATION | {"conversation_id": "c-2"}
    files = {
        "conversations-000.json": exports.CHATGPT,
        "conversations-001.json": json.dumps([other]),
        "message_feedback.json": "[]",
        "chat.html": "<html>",
    }
    path = archive(tmp_path / "download.zip", {**files})

    items = list(formats.items_of(path, formats.format_of(path)))

    assert {item.conversation for item in items if isinstance(item, MessageItem)} == {"chatgpt/c-1", "chatgpt/c-2"}
    assert [item.where for item in items if isinstance(item, Skipped) and item.code == "other_file"] == [
        "chat.html",
        "message_feedback.json",
    ]


def test_names_in_an_archive_are_no_paths(tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    evil = {"../../conversations.json": exports.CHATGPT, "/etc/conversations-000.json": exports.CHATGPT}
    path = archive(folder / "evil.zip", {**evil})
    before = sorted(tmp_path.rglob("*"))

    items = list(formats.items_of(path, formats.format_of(path)))

    assert len([item for item in items if isinstance(item, MessageItem)]) == 4
    assert sorted(tmp_path.rglob("*")) == before


def test_names_in_an_archive_are_not_obeyed_by_a_terminal(tmp_path: Path) -> None:
    path = archive(tmp_path / "loud.zip", {"\x1b]0;evil\x07.html": "<html>", "a.md": "Tea is ordered on Mondays."})

    assert [item.where for item in formats.items_of(path, "markdown") if isinstance(item, Skipped)] == [
        "?]0;evil?.html"
    ]


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MIN_BYTES_OF_A_BOMB", 100_000)
    path = archive(tmp_path / "bomb.zip", {"conversations.json": b"[" + b" " * 5_000_000 + b"]"})

    items = list(formats.items_of(path, "chatgpt"))

    assert codes(items) == ["too_long"]


def test_all_files_of_an_archive_have_one_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_BYTES_OF_AN_ARCHIVE", 3_000)
    path = archive(tmp_path / "many.zip", {f"{place}.md": "x" * 1_000 for place in range(6)})

    assert codes(list(formats.items_of(path, "markdown"))) == ["too_long"] * 3


def test_files_that_are_too_long_count_for_that_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MIN_BYTES_OF_A_BOMB", 1_000)
    monkeypatch.setattr(sources, "MAX_GROWTH", 1)
    monkeypatch.setattr(sources, "MAX_BYTES_OF_AN_ARCHIVE", 2_500)
    path = archive(tmp_path / "bombs.zip", {f"{place}.md": "x" * 100_000 for place in range(6)})

    items = list(formats.items_of(path, "markdown"))

    assert [item.why for item in items if isinstance(item, Skipped)][2:] == [
        "It unpacks to more than 498 bytes.",
        *["It unpacks to more than 0 bytes."] * 3,
    ]


def test_the_list_of_an_archive_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "many.zip", {f"{place}.md": "Tea is ordered." for place in range(6)})
    opened: list[Path] = []

    class Counted(zipfile.ZipFile):
        def __init__(self, file: Path) -> None:
            opened.append(file)
            super().__init__(file)

    monkeypatch.setattr(zipfile, "ZipFile", Counted)

    assert len(list(formats.items_of(path, "markdown"))) == 6
    assert opened == [path]


def test_a_lie_about_the_size_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MIN_BYTES_OF_A_BOMB", 1_000)
    path = archive(tmp_path / "liar.zip", {"a.md": "x" * 1_000_000})
    real = (1_000_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(real, (10).to_bytes(4, "little")))

    (item,) = formats.items_of(path, "markdown")

    # It reads up to the stated size, and the checksum does not fit.
    assert isinstance(item, Skipped)
    assert item.code in {"broken_zip", "too_long"}


def test_a_broken_archive_says_so(tmp_path: Path) -> None:
    path = archive(tmp_path / "cut.zip", {"conversations.json": exports.CHATGPT, "b.json": "[]"})
    whole = path.read_bytes()
    place = whole.index(b"conversations.json") + 40
    path.write_bytes(whole[:place] + b"\x00\x00\x00\x00" + whole[place + 4 :])

    assert codes(list(formats.items_of(path, "chatgpt")))[0] == "broken_zip"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(formats.UnknownExportError):
        formats.format_of(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_file_is_named_however_it_is_packed(tmp_path: Path, method: int) -> None:
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(path, "w", method) as packed:
        packed.writestr("a.md", "".join(f"{number} crates of tea. " for number in range(500)))
    whole = bytearray(path.read_bytes())
    whole[60:90] = b"\xff" * 30  # in the packed text
    path.write_bytes(whole)

    assert codes(list(formats.items_of(path, "markdown"))) == ["broken_zip"]


@pytest.mark.parametrize("method", [9, 93, 97])
def test_a_file_that_is_packed_in_an_unknown_way_is_named(tmp_path: Path, method: int) -> None:
    path = archive(tmp_path / "unknown.zip", {"a.md": "Tea is ordered on Mondays."})
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        content[content.index(mark) + place] = method
    path.write_bytes(content)

    assert codes(list(formats.items_of(path, "markdown"))) == ["broken_zip"]


def test_an_archive_of_a_newer_kind_says_so(tmp_path: Path) -> None:
    path = archive(tmp_path / "newer.zip", {"a.md": "Tea is ordered on Mondays."})
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 6] = 99  # the version that is needed to unpack
    path.write_bytes(content)

    with pytest.raises(sources.BrokenArchiveError, match="version"):
        list(formats.items_of(path, "markdown"))


def test_an_encrypted_file_is_named(tmp_path: Path) -> None:
    path = archive(tmp_path / "locked.zip", {"conversations.json": exports.CHATGPT})
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    path.write_bytes(content)

    (item,) = formats.items_of(path, "chatgpt")

    assert isinstance(item, Skipped)
    assert (item.where, item.code) == ("conversations.json", "encrypted")


@pytest.mark.parametrize(
    ("content", "text", "is_noted"),
    [
        ("Köln".encode(), "Köln", False),
        ("Köln".encode("utf-8-sig"), "Köln", False),
        ("Köln".encode("utf-16"), "Köln", False),
        ("Köln".encode("latin-1"), "Köln", True),
        ("„Köln“".encode("cp1252"), "„Köln“", True),
        (b"K\xf6ln\x81", "Köln\x81", True),
        (b"\xff\xfeK\x00\x00\xd8", "K�", True),
    ],
)
def test_text_in_any_encoding(content: bytes, text: str, is_noted: bool) -> None:
    assert decode(content)[0] == text
    assert bool(decode(content)[1]) == is_noted


def test_a_file_of_another_encoding_is_reported_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "towns.md").write_bytes("# Towns\n\nKöln".encode("latin-1"))

    note, memory = formats.items_of(tmp_path, "markdown")

    assert note == Skipped(
        "towns.md",
        "encoding",
        "It is not UTF-8 from line 3 on and was read as Windows-1252: look at letters with accents.",
    )
    assert isinstance(memory, MemoryItem)
    assert memory.content == "Towns\n\nKöln"


@pytest.mark.parametrize("format", ["memory-graph", "graphiti", "claude-code", "csv"])
def test_what_is_malformed_is_named_by_its_line(tmp_path: Path, format: str) -> None:
    written = WRITERS[format](tmp_path, 30)
    file = next(written.path.rglob("*")) if written.path.is_dir() else written.path
    lines = file.read_text().split("\n")
    broken = '{"broken' if format != "csv" else "a,b,c,d,e,f"
    file.write_text("\n".join([*lines[:4], broken, *lines[4:]]))

    items = list(formats.items_of(written.path, format))

    (skipped,) = [item for item in items if isinstance(item, Skipped)]
    assert skipped.where == f"{file.name}:5"
    assert len(items) == written.items + 1


@pytest.mark.parametrize("format", WRITERS)
def test_malformed_entries_of_each_format_are_named_by_line_and_keep_no_other_out(tmp_path: Path, format: str) -> None:
    written = WRITERS[format](tmp_path, 240, 3)

    items = list(formats.items_of(written.path, format))

    skipped = [one for one in items if isinstance(one, Skipped) and one.code not in {"account", "other_file"}]
    assert [one.where for one in skipped] == list(written.malformed)
    assert len(skipped) == 3
    kept = [one for one in items if not isinstance(one, Skipped)]
    assert len(kept) == written.items
    texts = {one.content if isinstance(one, MessageItem | MemoryItem) else "" for one in kept}
    assert {one.text for one in written.expected if one.kind in {"user", "assistant", "memory"}} == texts - {""}


NESTED = (
    "[",
    '"a \\" [0]",',
    '{"a key": {"list": [1]},',
    '"list" : [',
    "1 ,",
    '{"x": "}",',
    '"deep": [[],',
    '"y"]}]}]',
)


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("[0]", 2),
        ("[1]", 3),
        ("[1].list[0]", 5),
        ("[1].list[1]", 6),
        ("[1].list[1].deep[1]", 8),
        ("[1].list[1].deep[7]", 7),
        ("[1].none[0]", 3),
        ("[1].a key.b", 3),
        ("[1].list[0]#Ovens › [4]", 5),
        ("[9]", 1),
        ("", 1),
    ],
)
def test_the_line_of_an_entry_is_that_of_its_innermost_part(place: str, line: int) -> None:
    text = "\n".join(NESTED)
    lines = EntryLines("x", text)
    for start, _ in partial_json.elements(text, "x"):
        lines.add_element(start)

    assert lines.line_of(place) == line
