"""What reading makes of the bytes of a file."""

import os
import shutil
from pathlib import Path

import pytest

from hybrid_index.errors import PathError
from hybrid_index.types import FileRecord
from hybrid_index.workspace import ReadResult, ScopeOptions, SkipReason, Workspace, content_hash, language_of, read_text


def read(tmp_path: Path, name: str, data: bytes, **options: object) -> ReadResult:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(data)
    record = FileRecord(name, len(data), 0, language_of(name))
    return Workspace(tmp_path, ScopeOptions(**options)).read(record)  # type: ignore[arg-type]


def text_of(result: ReadResult) -> str:
    assert result.source is not None, result.skip
    return result.source.text


def reason_of(result: ReadResult) -> SkipReason:
    assert result.source is None and result.skip is not None
    return result.skip.reason


TEXT = 'class Grüße { string s = "日本"; }\n'


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (b"\xef\xbb\xbf" + TEXT.encode(), "utf-8"),
        (b"\xff\xfe" + TEXT.encode("utf-16-le"), "utf-16"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-16-be"), "utf-16-be"),
        (b"\xff\xfe\x00\x00" + TEXT.encode("utf-32-le"), "utf-32"),
    ],
)
def test_unicode_encodings_are_recognised_with_and_without_a_mark(tmp_path: Path, data: bytes, encoding: str) -> None:
    result = read(tmp_path, "a.cs", data)
    assert text_of(result) == TEXT
    assert result.source is not None and result.source.encoding == encoding


def test_bytes_that_are_not_unicode_use_the_declared_encoding_or_the_fallback(tmp_path: Path) -> None:
    assert text_of(read(tmp_path, "a.cs", "// naïve – “x”\n".encode("cp1252"))) == "// naïve – “x”\n"
    declared = '<?xml version="1.0" encoding="iso-8859-2"?>\n<a>łódź</a>\n'
    assert text_of(read(tmp_path, "a.xml", declared.encode("iso-8859-2"))) == declared
    python = "# -*- coding: koi8-r -*-\ns = 'привет'\n"
    assert text_of(read(tmp_path, "a.py", python.encode("koi8-r"))) == python
    japanese = "// こんにちは\n"
    assert text_of(read(tmp_path, "b.cs", japanese.encode("cp932"), fallback_encoding="cp932")) == japanese


def test_a_wrong_declaration_or_fallback_never_fails(tmp_path: Path) -> None:
    assert "é" in text_of(read(tmp_path, "a.xml", b'<?xml version="1.0" encoding="utf-8"?>\n<a>\xe9</a>\n'))
    assert "é" in text_of(read(tmp_path, "b.xml", b'<?xml version="1.0" encoding="no-such"?>\n<a>\xe9</a>\n'))
    assert "é" in text_of(read(tmp_path, "c.py", b"# coding: zlib\n# \xe9\n"))
    assert "é" in text_of(read(tmp_path, "d.cs", b"// \xe9 \x81\n", fallback_encoding="no-such"))


def test_a_damaged_byte_in_utf8_text_does_not_garble_the_rest(tmp_path: Path) -> None:
    text = text_of(read(tmp_path, "a.md", ("größer als " * 20).encode() + b"\xff\n"))
    assert text == "größer als " * 20 + "\ufffd\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends_are_normalised(tmp_path: Path, end: bytes) -> None:
    assert text_of(read(tmp_path, "a.cs", end.join([b"one", b"", b"three", b""]))) == "one\n\nthree\n"


def test_other_separators_do_not_end_a_line(tmp_path: Path) -> None:
    assert text_of(read(tmp_path, "a.cs", "a\u2028b\x0cc\x85d\n".encode())).count("\n") == 1


def test_the_hash_is_of_the_bytes(tmp_path: Path) -> None:
    one, other = read(tmp_path, "a.cs", b"a\r\n"), read(tmp_path, "b.cs", b"a\n")
    assert text_of(one) == text_of(other)
    assert one.hash == content_hash(b"a\r\n") != other.hash
    assert len(one.hash) == 16


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    assert text_of(read(tmp_path, "a.cs", b"")) == ""


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01" + bytes(100),
        bytes(range(256)) * 20,
        b"\x89PNG\r\n\x1a\n" + os.urandom(2_000) + bytes(8),
        bytes([1, 2, 3, 4, 5, 6]) * 100,
    ],
)
def test_binary_data_under_any_name_is_recognised(tmp_path: Path, data: bytes) -> None:
    result = read(tmp_path, "data.txt", data)
    assert reason_of(result) is SkipReason.BINARY
    assert result.hash == content_hash(data)


def test_text_with_terminal_colours_is_text(tmp_path: Path) -> None:
    assert "\x1b[31m" in text_of(read(tmp_path, "log.txt", b"\x1b[31mred\x1b[0m\n" * 50))


def test_a_zero_byte_far_inside_text_is_replaced(tmp_path: Path) -> None:
    assert text_of(read(tmp_path, "a.cs", b"x\n" * 5_000 + b"\0\n")).endswith("x\n\ufffd\n")


# -- minified ---------------------------------------------------------------------------------------------------------

CODE = "var f=function(a,b){return a+b};"


def test_a_bundle_is_left_out(tmp_path: Path) -> None:
    assert reason_of(read(tmp_path, "app.js", CODE.encode() * 3_000)) is SkipReason.MINIFIED
    licence = b"/*! licence\n * text\n */\n"
    assert reason_of(read(tmp_path, "lib.min.js", licence + CODE.encode() * 100)) is SkipReason.MINIFIED


def test_a_small_one_line_file_is_indexed(tmp_path: Path) -> None:
    assert text_of(read(tmp_path, "data.json", b'{"a":' + b"1" * 5_000 + b"}")).startswith('{"a"')


def test_a_source_file_with_one_huge_string_is_indexed(tmp_path: Path) -> None:
    source = "using System;\n" * 12 + 'const string Image = "' + "A" * 60_000 + '";\n'
    assert text_of(read(tmp_path, "Logo.cs", source.encode())) == source


def test_a_file_called_min_js_with_ordinary_lines_is_indexed(tmp_path: Path) -> None:
    assert text_of(read(tmp_path, "a.min.js", (CODE + "\n").encode() * 20))


# -- files that change or are no files --------------------------------------------------------------------------------


def test_a_file_that_grew_too_large_or_vanished_after_the_scan_is_recorded(tmp_path: Path) -> None:
    assert reason_of(read(tmp_path, "a.cs", b"x" * 11, max_file_bytes=10)) is SkipReason.TOO_LARGE
    workspace = Workspace(tmp_path)
    assert reason_of(workspace.read(FileRecord("gone.cs", 1, 1, "csharp"))) is SkipReason.UNREADABLE
    (tmp_path / "folder.cs").mkdir()
    assert workspace.read(FileRecord("folder.cs", 1, 1, "csharp")).source is None


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX files")
def test_what_became_a_link_or_a_pipe_after_the_scan_is_not_read(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    for folder in (outside, root / "sub"):
        folder.mkdir(parents=True)
        (folder / "a.cs").write_text("secret\n", encoding="utf-8")
    workspace = Workspace(root)
    (record,) = workspace.scan().files
    shutil.rmtree(root / "sub")
    (root / "sub").symlink_to(outside)
    assert reason_of(workspace.read(record)) is SkipReason.OUTSIDE_ROOT
    (root / "b.cs").symlink_to(outside / "a.cs")
    assert reason_of(workspace.read(FileRecord("b.cs", 1, 1, "csharp"))) is SkipReason.LINK
    os.mkfifo(root / "c.cs")
    assert reason_of(workspace.read(FileRecord("c.cs", 1, 1, "csharp"))) is SkipReason.NOT_REGULAR


# -- what else a text says --------------------------------------------------------------------------------------------


def test_a_script_without_an_extension_has_the_language_of_its_first_line(tmp_path: Path) -> None:
    result = read(tmp_path, "tool", b"#!/usr/bin/env -S python3.12 -u\nprint()\n")
    assert result.source is not None and result.source.language == "python"


def test_a_marker_in_the_head_says_that_a_file_was_generated(tmp_path: Path) -> None:
    assert read(tmp_path, "A.cs", b"// <auto-generated/>\nclass A {}\n").is_generated
    assert read(tmp_path, "a.go", b"// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n").is_generated
    assert not read(tmp_path, "Writer.cs", b'var s = "// <auto-generated/>";\n').is_generated
    assert not read(tmp_path, "notes.md", b"Files with <auto-generated> in their head are skipped.\n").is_generated


def test_a_git_lfs_pointer_is_small_text_and_is_indexed_as_such(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16 + b"\nsize 12345\n"
    assert text_of(read(tmp_path, "model.csv", pointer)) == pointer.decode()


def test_live_text_is_decoded_and_masked_like_indexed_text(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes('\ufeff{\r\n "Password": "Tr0ub4dor&3"\r\n}'.encode())
    assert read_text(tmp_path / "a.json").text == '{\n "Password": "«secret»"\n}'
    assert Workspace(tmp_path).read_text("a.json").path == "a.json"
    (tmp_path / "b.png").write_bytes(bytes(100))
    with pytest.raises(PathError, match="binary"):
        read_text(tmp_path / "b.png")
