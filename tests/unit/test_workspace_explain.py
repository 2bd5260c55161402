"""Why one path is or is not in the index."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hybrid_index.workspace import ScopeOptions, Workspace, explain_path


@pytest.fixture(params=["git", "walk"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = (tmp_path / "root").resolve()
    (folder / "src/out").mkdir(parents=True)
    if request.param == "git":
        if shutil.which("git") is None:
            pytest.skip("needs git")
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    (folder / "src/a.cs").write_text('const string ApiKey = "k3Jd9sQ2mX7vB4nT8wZ1";\n', encoding="utf-8")
    (folder / "src/out/b.cs").write_text("b\n", encoding="utf-8")
    (folder / "src/.gitignore").write_text("# output\nout/\n*.log\n", encoding="utf-8")
    (folder / "src/c.log").write_text("c\n", encoding="utf-8")
    (folder / "logo.png").write_bytes(b"\x89PNG")
    (folder / "data.txt").write_bytes(bytes(100))
    (folder / "legacy").mkdir()
    (folder / "legacy/x.cs").write_text("x\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("path", "reason", "detail"),
    [
        ("src/a.cs", "indexed", "1 masked line"),
        ("./src/a.cs", "indexed", ""),
        ("src/c.log", "ignored_by_rule", ".gitignore:3: *.log"),
        ("src/out/b.cs", "ignored_by_rule", ".gitignore:2: out/"),
        ("src/out", "ignored_by_rule", ".gitignore:2: out/"),
        ("logo.png", "binary", ".png files are not text"),
        ("data.txt", "binary", "bytes are not text"),
        ("legacy/x.cs", "excluded_by_setting", "exclude_roots"),
        ("src", "folder", "2 files below it"),
        (".", "folder", "files below it"),
        ("src/none.cs", "missing", "There is no"),
        ("../x", "refused", "'..'"),
        ("/etc/passwd", "refused", "outside"),
        (".git/config", "excluded_by_setting", ""),
    ],
)
def test_each_path_has_one_reason(root: Path, path: str, reason: str, detail: str) -> None:
    if path == ".git/config" and not (root / ".git").exists():
        pytest.skip("no repository")
    found = explain_path(Workspace(root, ScopeOptions(exclude_roots=("legacy",))), path)
    assert (found.reason, found.indexed) == (reason, reason == "indexed")
    assert detail in found.detail


def test_an_absolute_path_and_a_scan_made_before_give_the_same_answer(root: Path) -> None:
    workspace = Workspace(root)
    expected = explain_path(workspace, "src/a.cs")
    assert expected.language == "csharp"
    assert explain_path(workspace, str(root / "src/a.cs"), workspace.scan()) == expected


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_is_explained_as_a_link(root: Path) -> None:
    (root / "in.cs").symlink_to("src/a.cs")
    (root / "out.cs").symlink_to(root.parent)
    assert explain_path(Workspace(root), "in.cs").reason == "link"
    assert explain_path(Workspace(root), "out.cs").reason == "outside_root"
