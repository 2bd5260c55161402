"""Outside git, the walker finds what git would find: compared with git itself on random trees and ignore files."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hybrid_index.workspace.ignore import IgnoreFile
from hybrid_index.workspace.walk import walk

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")

NAMES = st.sampled_from(["a", "a", "b", "b", "ab", "A", "a.b", "ä", "a b", "[a]", "!b", "#a", "a\\b"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
ATOMS = st.sampled_from(
    ["a", "a", "b", "b", "/", "/", "*", "*", "?", "**", "**/", "/**", "A", ".", "[ab]", "[!a]", "[^b]", "[a-b]", "[!/]"]
    + [
        "[[:alpha:]]",
        "[]a]",
        "\\",
        "\\*",
        "\\a",
        "[",
        "]",
        "!",
        "#",
        " ",
        "\\ ",
        "ä",
        "-",
        "[a",
        "[[:x:]]",
        "[a\\]]",
        "[b-]",
    ]
)
PIECES = st.one_of(
    NAMES, st.sampled_from(["*", "**", "?", "a*", "*b", "[ab]", "[!b]", "?b", "*.b", "a**", "**b", "[[:lower:]]"])
)
SHAPED = st.builds(
    lambda start, pieces, end: start + "/".join(pieces) + end,
    st.sampled_from(["", "", "!", "/", "!/", "**/", "\\"]),
    st.lists(PIECES, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/*", "/**", " ", "*"]),
)
PATTERNS = st.one_of(SHAPED, SHAPED, st.lists(ATOMS, min_size=1, max_size=6).map("".join))
LINES = st.lists(PATTERNS, min_size=1, max_size=4)
FILES = st.lists(PATHS, min_size=1, max_size=12)
IGNORES = st.dictionaries(st.sampled_from(["", "a/", "b/", "a/b/", "a/a/"]), LINES, min_size=1, max_size=3)
ENDS = st.sampled_from(["\n", "\r\n"])


def build(root: Path, files: list[str], ignores: dict[str, list[str]], end: str) -> None:
    for path in files:
        try:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        except OSError:  # a name is a file on one path and a folder on another
            continue
    for folder, lines in ignores.items():
        try:
            (root / folder).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        (root / folder / ".gitignore").write_bytes(end.join(lines).encode() + end.encode())


def seen_by_git(root: Path) -> set[str]:
    git = ["git", "-c", "core.excludesFile=", "-c", "core.ignoreCase=false"]
    subprocess.run([*git, "init", "-q"], cwd=root, check=True)
    listed = [*git, "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"]
    out = subprocess.run(listed, cwd=root, check=True, capture_output=True).stdout
    return {os.fsdecode(name) for name in out.split(b"\0") if name}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=FILES, ignores=IGNORES, end=ENDS)
@example(files=["a/b", "b/a"], ignores={"": ["a/", "!a/b"]}, end="\n")
@example(files=["ab", "abc/b", "a/ab/b"], ignores={"": ["a**/b"]}, end="\n")
@example(files=["a", "b", "b/a"], ignores={"": ["\ufeffa"], "b/": ["!a", "[!b"]}, end="\r\n")
def test_the_walker_finds_exactly_the_files_that_git_does_not_ignore(
    files: list[str], ignores: dict[str, list[str]], end: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        build(root, files, ignores, end)
        walked = {path for path, _ in walk(str(root), (), stop_at_repositories=False).files}
        assert walked == seen_by_git(root)


@given(st.lists(st.sampled_from(["*", "a", "**/", "?", "/"]), max_size=60).map("".join))
@settings(max_examples=100, deadline=2_000)
@example("*a" * 40 + "b")
@example("**/a*/" * 20 + "b")
def test_no_pattern_makes_matching_slow(pattern: str) -> None:
    rules = IgnoreFile(pattern.encode(), ".gitignore")
    rules.match("/".join(["a" * 30] * 10), is_folder=False)
