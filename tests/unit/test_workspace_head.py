"""Where the head is, read without git and never failing."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hybrid_index.workspace import GitState, is_dirty, read_git_state

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = (tmp_path / "repo").resolve()
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "sub").mkdir()
    (folder / "sub/a.cs").write_text("a\n", encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "start")
    return folder


def test_without_a_repository_everything_is_empty(tmp_path: Path) -> None:
    assert read_git_state(tmp_path) == GitState()
    assert is_dirty(tmp_path) is None


@needs_git
def test_the_head_and_branch_are_those_of_git(repo: Path) -> None:
    state = read_git_state(repo / "sub")
    assert (state.head, state.branch, state.detached) == (git(repo, "rev-parse", "HEAD"), "main", False)
    assert state.worktree_root == repo
    git(repo, "checkout", "-q", "-b", "feature/x")
    git(repo, "commit", "-q", "--allow-empty", "-m", "empty")
    state = read_git_state(repo)
    assert (state.head, state.branch) == (git(repo, "rev-parse", "HEAD"), "feature/x")


@needs_git
def test_packed_references_are_read(repo: Path) -> None:
    git(repo, "branch", "main2")
    git(repo, "pack-refs", "--all", "--prune")
    assert not (repo / ".git/refs/heads/main").exists()
    assert read_git_state(repo).head == git(repo, "rev-parse", "HEAD")


@needs_git
def test_a_detached_head_has_no_branch(repo: Path) -> None:
    git(repo, "checkout", "-q", "--detach")
    state = read_git_state(repo)
    assert (state.head, state.branch, state.detached) == (git(repo, "rev-parse", "HEAD"), None, True)


@needs_git
def test_a_repository_without_a_commit_has_a_branch_and_no_head(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")
    state = read_git_state(tmp_path)
    assert (state.head, state.branch, state.detached) == (None, "trunk", False)
    assert is_dirty(tmp_path) is False


@needs_git
def test_worktrees_and_submodules_have_heads_of_their_own(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", "-b", "other", "../tree")
    git(tmp_path / "tree", "commit", "-q", "--allow-empty", "-m", "in the tree")
    state = read_git_state(tmp_path / "tree")
    assert (state.head, state.branch) == (git(tmp_path / "tree", "rev-parse", "HEAD"), "other")
    assert state.worktree_root == (tmp_path / "tree").resolve() and state.common_dir == repo / ".git"
    assert read_git_state(repo).head != state.head
    git(tmp_path, "clone", "-q", str(repo), "outer")
    git(tmp_path / "outer", "submodule", "add", "-q", str(repo), "inner")
    inner = read_git_state(tmp_path / "outer/inner")
    assert inner.head == git(tmp_path / "outer/inner", "rev-parse", "HEAD")
    assert inner.worktree_root == (tmp_path / "outer/inner").resolve()


@needs_git
def test_dirty_means_any_difference_from_the_head_below_the_root(repo: Path) -> None:
    assert is_dirty(repo) is False
    (repo / "new.cs").write_text("n\n", encoding="utf-8")
    assert is_dirty(repo) is True and is_dirty(repo / "sub") is False
    (repo / "new.cs").unlink()
    (repo / "sub/a.cs").write_text("changed\n", encoding="utf-8")
    assert is_dirty(repo) is True and is_dirty(repo / "sub") is True


@needs_git
@pytest.mark.parametrize(
    "head",
    [
        "",
        "ref:",
        "ref: ../../../etc/passwd",
        "ref: refs/heads/nowhere",
        "nonsense",
        "\xff\x00",
        "ref: HEAD",
        "ref: refs/heads/a\nb",
    ],
)
def test_a_damaged_head_never_fails(repo: Path, head: str) -> None:
    (repo / ".git/HEAD").write_bytes(head.encode("latin-1"))
    assert read_git_state(repo).head is None


@needs_git
def test_a_git_file_that_leads_nowhere_never_fails(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    assert read_git_state(tmp_path).head is None
    (tmp_path / ".git").write_text("gitdir: \0\n", encoding="utf-8")
    assert read_git_state(tmp_path).head is None


@needs_git
def test_references_in_a_table_are_asked_of_git(repo: Path) -> None:
    if subprocess.run(
        ["git", "init", "--ref-format=reftable", "-q", "table"], cwd=repo, capture_output=True
    ).returncode:
        pytest.skip("this git has no reftable")
    table = repo / "table"
    git(table, "commit", "-q", "--allow-empty", "-m", "start")
    assert read_git_state(table).head == git(table, "rev-parse", "HEAD")
