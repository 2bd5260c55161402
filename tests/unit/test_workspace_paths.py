"""Paths that callers give, and roots that are too large to be meant."""

import os
import sys
from pathlib import Path

import pytest

from hybrid_index.errors import PathError
from hybrid_index.workspace import ScopeOptions, Workspace, refuse_dangerous_root, resolve_inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = (tmp_path / "root").resolve()
    (folder / "src/a b").mkdir(parents=True)
    (folder / "src/a b/x.cs").write_text("x\n", encoding="utf-8")
    (tmp_path / "outside.cs").write_text("secret\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("given", ["src/a b/x.cs", "./src/a b/x.cs", "src//a b/x.cs"])
def test_relative_paths_resolve(root: Path, given: str) -> None:
    assert resolve_inside(root, given) == root / "src/a b/x.cs"


def test_an_absolute_path_inside_resolves_and_the_root_itself_too(root: Path) -> None:
    assert resolve_inside(root, str(root / "src/a b/x.cs")) == root / "src/a b/x.cs"
    assert resolve_inside(root, ".") == root == resolve_inside(root, "")


@pytest.mark.parametrize(
    "given",
    [
        "..",
        "../outside.cs",
        "src/../../outside.cs",
        "src/../src/a b/x.cs",
        "src\\..\\..\\outside.cs",
        "/etc/passwd",
        "//server/share/x",
        "\\\\server\\share\\x",
        "\\\\?\\C:\\Windows\\win.ini",
        "C:\\Windows\\win.ini",
        "C:x.cs",
        "file:///etc/passwd",
        "https://example.org/x",
        "src/a b/x.cs\0.png",
        "src/\ud800.cs",
        "x" * 5_000,
        "~/x.cs",
    ],
)
def test_paths_that_lead_out_or_are_no_paths_are_refused(root: Path, given: str) -> None:
    with pytest.raises(PathError) as caught:
        resolve_inside(root, given)
    message = str(caught.value)
    message.encode("utf-8")
    assert "\0" not in message and len(message) < 300


def test_a_missing_file_is_named_in_the_error(root: Path) -> None:
    with pytest.raises(PathError, match=r"There is no 'src/y\.cs' in the workspace"):
        resolve_inside(root, "src/y.cs")


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_out_is_refused_and_one_inside_is_followed(root: Path) -> None:
    (root / "out.cs").symlink_to(root.parent / "outside.cs")
    (root / "dir").symlink_to(root.parent)
    (root / "in.cs").symlink_to(root / "src/a b/x.cs")
    (root / "loop").symlink_to("loop")
    for given in ("out.cs", "dir/outside.cs"):
        with pytest.raises(PathError, match="through a link"):
            resolve_inside(root, given)
    assert resolve_inside(root, "in.cs") == root / "src/a b/x.cs"
    with pytest.raises(PathError):
        resolve_inside(root, "loop")


def test_a_further_root_is_reached_by_its_prefix_only(root: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "d.md").write_text("d\n", encoding="utf-8")
    workspace = Workspace(root, ScopeOptions(extra_roots=(str(docs),)))
    assert workspace.resolve("@docs/d.md") == (docs / "d.md").resolve()
    assert workspace.resolve(str(docs / "d.md")) == (docs / "d.md").resolve()
    assert workspace.read_text("@docs/d.md").path == "@docs/d.md"
    for given in ("@docs/../root/src/a b/x.cs", "@other/d.md", "docs/d.md"):
        with pytest.raises(PathError):
            workspace.resolve(given)
    with pytest.raises(PathError):
        workspace.name_of(tmp_path / "outside.cs")


def test_roots_that_hold_a_machine_or_a_home_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "homes/me"
    (home / "code").mkdir(parents=True)
    monkeypatch.setenv("USERPROFILE" if sys.platform == "win32" else "HOME", str(home))
    refuse_dangerous_root(home / "code")
    for root, why in (
        (Path(tmp_path.anchor), "root of a file system"),
        (home, "home directory"),
        (home.parent, "holds home"),
    ):
        with pytest.raises(PathError, match=why):
            refuse_dangerous_root(root)
