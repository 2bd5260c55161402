"""Whatever bytes, names and paths a workspace holds, reading them never fails and never lets anything through."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hybrid_index.errors import PathError
from hybrid_index.workspace import resolve_inside
from hybrid_index.workspace.decode import decode
from hybrid_index.workspace.ignore import IgnoreFile
from hybrid_index.workspace.names import is_indexable_name, shown_name
from hybrid_index.workspace.secrets import MASK, mask

PIECES = st.sampled_from(
    [
        "Password",
        "pwd=",
        "ApiKey",
        "token",
        "secret",
        '"',
        "'",
        "=",
        ":",
        " ",
        "\n",
        ";",
        "\t",
        "Server=db;",
        "://u:",
        "@h",
    ]
    + [
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "MIIEow1B" * 6,
        "Tr0ub4dor&3",
        "a",
        "ü",
        "İ",
        "«secret»",
    ]
    + ["k3Jd9sQ2mX7vB4nT8wZ1", "ghp_", "eyJhbGciOi.eyJzdWIiOi.", "value=", ">", "<", "Authorization: Bearer "]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=200))
LANGUAGES = st.sampled_from(["csharp", "json", "yaml", "text", "dotenv", "xml"])


@given(TEXTS, LANGUAGES, st.booleans())
@settings(max_examples=300, deadline=None)
def test_masking_keeps_lines_and_counts_those_it_changed(text: str, language: str, settings_file: bool) -> None:
    result, count = mask(text, language, settings_file=settings_file)
    before, after = text.split("\n"), result.split("\n")
    assert len(before) == len(after)
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) <= count  # a value that was the mask already is masked again
    assert all(MASK in new for _, new in changed)


@pytest.mark.parametrize(
    "piece",
    [
        "eyJ",
        "password=a1b2c3;",
        "-",
        "_",
        "a-",
        "://",
        "Q~",
        "sig=",
        "-----BEGIN PRIVATE KEY-----",
        'apikey:"',
        "x" * 50 + ":",
    ]
    + ["token = 'k3Jd9sQ2mX7vB4nT8wZ1' ", "SG.", "AKIA", "{", "Authorization: Bearer ", "key=" * 3, "A=1\n"],
)
def test_repetition_does_not_make_masking_slow(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))  # anything quadratic would take minutes
    assert mask(text, "dotenv", settings_file=True)[0].count("\n") == text.count("\n")


@given(TEXTS, LANGUAGES)
@settings(max_examples=200, deadline=None)
def test_masking_twice_changes_nothing_more(text: str, language: str) -> None:
    once, _ = mask(text, language)
    assert mask(once, language)[0] == once


@given(st.binary(max_size=400), st.sampled_from(["cp1252", "cp932", "latin-1", "no-such", "utf-8", "zlib"]))
@settings(max_examples=300, deadline=None)
@example(b"\xff\xfe\x00", "cp1252")
@example(b"<?xml encoding='utf-7'?>\xff", "cp1252")
@example(b"# coding: unicode_escape\n\xff\\x", "cp1252")
def test_any_bytes_are_text_or_binary(data: bytes, fallback: str) -> None:
    decoded = decode(data, fallback)
    if decoded is not None:
        assert "\r" not in decoded.text and "\0" not in decoded.text
        decoded.text.encode("utf-8")


@given(st.text(max_size=60), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]))
@settings(deadline=None, max_examples=200)
@example("\x7f", "utf-8")
@example("\u0100", "utf-16-le")
@example("\u0100\u0200\u0300\u0400\u0500", "utf-16-be")
def test_unicode_text_survives(text: str, encoding: str) -> None:
    text = "class A { " + text.replace("\r", "").replace("\0", "") + " } // a comment of plain words\n"
    wide_letters = sum(1 for char in text if char > "\xff")
    control = sum(1 for char in text if char < " " and char not in "\t\n\f\v")
    if wide_letters > 5 or control:  # without a mark, UTF-16 is told by its zero bytes
        return
    decoded = decode(text.encode(encoding))
    assert decoded is not None and decoded.text == text


@given(st.binary(max_size=120), st.text(max_size=30), st.booleans())
@settings(deadline=None)
def test_any_bytes_are_an_ignore_file(content: bytes, path: str, is_folder: bool) -> None:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return
    IgnoreFile(content, ".gitignore").match(path, is_folder)


@given(st.one_of(st.text(max_size=30), st.binary(max_size=30).map(lambda raw: raw.decode("utf-8", "surrogateescape"))))
def test_every_name_can_be_shown(name: str) -> None:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return
    shown = shown_name(name)
    assert is_indexable_name(shown)
    assert shown == name or not is_indexable_name(name)


@pytest.fixture(scope="module")
def roots() -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        root = base / "root"
        (root / "a/b").mkdir(parents=True)
        for path in (root / "a/x", root / "a/b/x", base / "x"):
            path.write_text("x", encoding="utf-8")
        if os.name != "nt":
            (root / "a/up").symlink_to("../..")
            (root / "in").symlink_to("a")
        yield base, root


SEGMENTS = st.sampled_from(
    ["a", "b", "x", "..", ".", "", "up", "in", "root", "~", "C:", "\\", "\0", "file:", "é", " ", "*"]
)


@given(path=st.one_of(st.lists(SEGMENTS, max_size=6).map("/".join), st.text(max_size=20)), absolute=st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_path_leads_out_of_the_root(roots: tuple[Path, Path], path: str, absolute: bool) -> None:
    base, root = roots
    try:
        found = resolve_inside(root, f"{base}/{path}" if absolute else path)
    except PathError as error:
        str(error).encode("utf-8")
        return
    assert found == root or root in found.parents
