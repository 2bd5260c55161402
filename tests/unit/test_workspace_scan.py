"""Which files a scan offers, and the reason recorded for every other."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hybrid_index.errors import PathError
from hybrid_index.workspace import ScanResult, ScopeOptions, Skip, SkipReason, Workspace

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs POSIX files")


def write(root: Path, *paths: str, text: str = "text\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def repository(root: Path, *tracked: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    write(root, *tracked)
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "--allow-empty", "-m", "start")
    return root


def scan(root: Path, **options: object) -> ScanResult:
    return Workspace(root, ScopeOptions(**options)).scan()  # type: ignore[arg-type]


def paths(result: ScanResult) -> list[str]:
    return [record.path for record in result.files]


def reasons(result: ScanResult) -> dict[str, SkipReason]:
    return {skip.path: skip.reason for skip in result.all_skips()}


# -- what both ways of listing have in common -----------------------------------------------------------------------


@pytest.fixture(params=["git", "walk"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    if request.param == "git":
        if shutil.which("git") is None:
            pytest.skip("needs git")
        git(folder, "init", "-q")
    return folder.resolve()


def test_files_are_sorted_and_carry_what_their_path_says(root: Path) -> None:
    write(root, "src/B.cs", "src/A.cs", "tests/A.Tests/ATest.cs", "src/C.Designer.cs")
    records = {record.path: record for record in scan(root).files}
    assert list(records) == ["src/A.cs", "src/B.cs", "src/C.Designer.cs", "tests/A.Tests/ATest.cs"]
    assert (records["src/A.cs"].language, records["src/A.cs"].size) == ("csharp", 5)
    assert records["src/A.cs"].mtime_ns == (root / "src/A.cs").stat().st_mtime_ns
    assert records["tests/A.Tests/ATest.cs"].is_test and not records["src/A.cs"].is_test
    assert records["src/C.Designer.cs"].is_generated and not records["src/A.cs"].is_generated


def test_names_with_spaces_no_extension_and_dotfiles_are_offered(root: Path) -> None:
    names = [
        ".editorconfig",
        ".github/workflows/ci.yml",
        "Dockerfile",
        "LICENSE",
        "a b/c d.cs",
        "README.MD",
        "größe/ä.cs",
    ]
    write(root, *names)
    assert paths(scan(root)) == sorted(names)


def test_nested_ignore_files_and_negation_are_honoured(root: Path) -> None:
    write(root, "a.log", "keep.log", "sub/b.log", "sub/c.log", "out/x.cs", "sub/deep/out/y.cs", "sub/deep/z.cs")
    (root / ".gitignore").write_text("*.log\n!keep.log\nout/\n", encoding="utf-8")
    (root / "sub/.gitignore").write_text("!b.log\n", encoding="utf-8")
    result = scan(root)
    assert paths(result) == [".gitignore", "keep.log", "sub/.gitignore", "sub/b.log", "sub/deep/z.cs"]
    ignored = {path for path, reason in reasons(result).items() if reason is SkipReason.IGNORED_BY_RULE}
    assert ignored == {"a.log", "out/", "sub/c.log", "sub/deep/out/"}


def test_an_ignored_folder_is_one_entry_of_the_ledger(root: Path) -> None:
    write(root, "a.cs", *(f"out/{number}.cs" for number in range(30)))
    (root / ".gitignore").write_text("/out/\n", encoding="utf-8")
    ledger = {entry.reason: entry for entry in scan(root).ledger()}
    assert (ledger[SkipReason.IGNORED_BY_RULE].count, ledger[SkipReason.IGNORED_BY_RULE].top_prefixes) == (
        1,
        (("out/", 1),),
    )


def test_the_ledger_counts_reading_skips_too(root: Path) -> None:
    write(root, "a.cs", "b.png")
    ledger = scan(root).ledger([Skip("x/y/z/q.js", SkipReason.MINIFIED), Skip("x/y/r.js", SkipReason.MINIFIED)])
    assert [(entry.reason, entry.count) for entry in ledger] == [(SkipReason.MINIFIED, 2), (SkipReason.BINARY, 1)]
    assert ledger[0].top_prefixes == (("x/y/", 2),)


def test_a_further_ignore_file_leaves_out_and_reincludes(root: Path) -> None:
    write(root, "docs/a.md", "docs/b.md", "src/a.cs", "src/gen/x.cs", "src/gen/y.cs")
    (root / ".hybridindexignore").write_text("docs/*\n!docs/b.md\n", encoding="utf-8")
    (root / "src/.hybridindexignore").write_text("gen/\n", encoding="utf-8")
    result = scan(root)
    assert paths(result) == [".hybridindexignore", "docs/b.md", "src/.hybridindexignore", "src/a.cs"]
    assert reasons(result)["src/gen/"] is SkipReason.IGNORED_BY_RULE
    assert next(skip for skip in result.skips if skip.path == "docs/a.md").detail == ".hybridindexignore:1: docs/*"


def test_an_ignore_file_named_by_path_holds_for_the_whole_root(root: Path) -> None:
    write(root, "config/index.ignore", text="*.md\n")
    write(root, "a.md", "sub/b.md", "c.cs")
    assert paths(scan(root, ignore_files=("config/index.ignore",))) == ["c.cs", "config/index.ignore"]


def test_extensions_are_included_and_excluded_without_regard_to_case(root: Path) -> None:
    write(root, "a.CS", "b.md", "LICENSE", "c.json")
    assert paths(scan(root, include_extensions=(".cs", "md"))) == ["a.CS", "b.md"]
    assert paths(scan(root, include_extensions=("",))) == ["LICENSE"]
    excluded = scan(root, exclude_extensions=(".JSON", ""))
    assert paths(excluded) == ["a.CS", "b.md"]
    assert reasons(excluded)["c.json"] is SkipReason.EXCLUDED_BY_SETTING


def test_excluded_roots_and_added_segments_hold(root: Path) -> None:
    write(root, "a.cs", "legacy/b.cs", "src/old/c.cs", "src/legacy/d.cs")
    result = scan(root, exclude_roots=("legacy/", "src\\old"))
    assert paths(result) == ["a.cs", "src/legacy/d.cs"]
    assert reasons(result) == {"legacy/": SkipReason.EXCLUDED_BY_SETTING, "src/old/": SkipReason.EXCLUDED_BY_SETTING}
    assert paths(scan(root, exclude_segments=("legacy",))) == ["a.cs", "src/old/c.cs"]


def test_binary_large_and_credential_files_have_their_reasons(root: Path) -> None:
    write(root, "a.cs", "logo.PNG", "id_rsa", "cert.pfx", "secrets.json", ".env.example")
    write(root, "big.json", text="x" * 2_001)
    result = scan(root, max_file_bytes=2_000)
    assert paths(result) == [".env.example", "a.cs"]
    assert reasons(result) == {
        "big.json": SkipReason.TOO_LARGE,
        "cert.pfx": SkipReason.SECRET,
        "id_rsa": SkipReason.SECRET,
        "logo.PNG": SkipReason.BINARY,
        "secrets.json": SkipReason.SECRET,
    }


def test_drawings_are_offered_up_to_the_size_of_an_icon(root: Path) -> None:
    write(root, "icon.svg", text="<svg/>" * 100)
    write(root, "font.svg", text="<svg/>" * 10_000)
    result = scan(root)
    assert paths(result) == ["icon.svg"] and reasons(result) == {"font.svg": SkipReason.TOO_LARGE}


def test_third_party_folders_are_never_entered(root: Path) -> None:
    write(root, "a.js", "web/node_modules/x/index.js", "web/b.js", ".venv/lib/y.py", "pkg/__pycache__/z.py", "pkg/c.py")
    result = scan(root)
    assert paths(result) == ["a.js", "pkg/c.py", "web/b.js"]
    left_out = [".venv/", "pkg/__pycache__/", "web/node_modules/"]
    assert reasons(result) == dict.fromkeys(left_out, SkipReason.EXCLUDED_BY_SETTING)


@pytest.mark.parametrize(
    ("files", "output"),
    [
        (["App/App.csproj", "App/bin/Debug/net8.0/App.json"], "App/bin/"),
        (["App/App.csproj", "App/obj/project.assets.json"], "App/obj/"),
        (["packages/Newtonsoft.Json.13.0.1/Newtonsoft.Json.13.0.1.nupkg", "packages/x/readme.md"], "packages/"),
        (["artifacts/bin/App/debug/App.json"], "artifacts/"),
        (["TestResults/run.json"], "TestResults/"),
    ],
)
def test_untracked_build_output_is_left_out(root: Path, files: list[str], output: str) -> None:
    write(root, *files)
    result = scan(root)
    assert not [path for path in paths(result) if path.startswith(output)]
    assert reasons(result)[output] is SkipReason.EXCLUDED_BY_SETTING


def test_folders_that_are_only_named_like_build_output_are_source(root: Path) -> None:
    source = ["bin/run", "packages/core/index.ts", "packages/core/package.json", "artifacts/readme.md", "obj/Model.cs"]
    write(root, *source)
    assert paths(scan(root)) == sorted(source)


def test_a_root_may_be_called_like_an_excluded_folder(tmp_path: Path) -> None:
    write(tmp_path, "node_modules/lib/bin/a.js")
    assert paths(scan(tmp_path / "node_modules")) == ["lib/bin/a.js"]


# -- hostile trees ----------------------------------------------------------------------------------------------------


@posix_only
def test_links_are_never_followed_and_say_where_they_lead(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "outside/secret.cs", "outside/dir/x.cs")
    write(root, "real/a.cs")
    (root / "file_out.cs").symlink_to(tmp_path / "outside/secret.cs")
    (root / "dir_out").symlink_to(tmp_path / "outside")
    (root / "file_in.cs").symlink_to(root / "real/a.cs")
    (root / "dir_in").symlink_to("real")
    (root / "loop").symlink_to(".")
    (root / "self").symlink_to("self")
    (root / "gone.cs").symlink_to("nowhere.cs")
    result = scan(root)
    assert paths(result) == ["real/a.cs"]
    assert reasons(result) == {
        "dir_in": SkipReason.LINK,
        "dir_out": SkipReason.OUTSIDE_ROOT,
        "file_in.cs": SkipReason.LINK,
        "file_out.cs": SkipReason.OUTSIDE_ROOT,
        "gone.cs": SkipReason.UNREADABLE,
        "loop": SkipReason.LINK,
        "self": SkipReason.UNREADABLE,
    }


@posix_only
def test_pipes_and_sockets_are_never_opened(root: Path) -> None:
    write(root, "a.cs")
    os.mkfifo(root / "pipe.cs")
    with socket.socket(socket.AF_UNIX) as server:
        folder = os.getcwd()
        os.chdir(root)  # the path of a socket must be short
        try:
            server.bind("socket.cs")
        finally:
            os.chdir(folder)
        result = scan(root)
    assert paths(result) == ["a.cs"]
    # Git lists neither of them, and then there is nothing to skip.
    assert reasons(result) in ({}, dict.fromkeys(["pipe.cs", "socket.cs"], SkipReason.NOT_REGULAR))


@posix_only
@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems refuse such names")
def test_names_that_are_no_text_are_left_out_with_a_printable_name(root: Path) -> None:
    write(root, "a.cs", "line\nbreak.cs", "esc\x1b[31m.cs")
    with open(os.fsencode(root) + b"/bad\xff.cs", "wb"):
        pass
    result = scan(root)
    assert paths(result) == ["a.cs"]
    assert reasons(result) == dict.fromkeys(["bad\\xff.cs", "esc\\x1b[31m.cs", "line\\nbreak.cs"], SkipReason.BAD_NAME)
    for skip in result.skips:
        skip.path.encode("utf-8")


def test_deep_and_wide_trees_are_scanned(root: Path) -> None:
    deep = "/".join(["d"] * 200) + "/x.cs"
    write(root, deep, *(f"wide/{number}/x.cs" for number in range(1_000)))
    assert len(paths(scan(root))) == 1_001


@posix_only
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_recorded(root: Path) -> None:
    write(root, "a.cs", "closed/b.cs")
    (root / "closed").chmod(0)
    try:
        assert reasons(scan(root))["closed/"] is SkipReason.UNREADABLE
    finally:
        (root / "closed").chmod(0o755)


def test_a_case_only_rename_is_seen(root: Path) -> None:
    write(root, "Order.cs")
    workspace = Workspace(root)
    workspace.scan()
    (root / "Order.cs").rename(root / "order.cs")
    assert paths(workspace.scan()) == ["order.cs"]


def test_progress_is_told_and_may_stop_the_scan(root: Path) -> None:
    write(root, "a.cs", "b/c.cs")
    counts: list[int] = []
    Workspace(root).scan(counts.append)
    assert counts[-1] == 2

    def stop(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Workspace(root).scan(stop)


# -- roots ------------------------------------------------------------------------------------------------------------


def test_a_missing_root_or_a_file_is_one_clear_error(tmp_path: Path) -> None:
    write(tmp_path, "file")
    with pytest.raises(PathError, match="Name an existing folder"):
        Workspace(tmp_path / "nowhere")
    with pytest.raises(PathError, match="is not a folder"):
        Workspace(tmp_path / "file")


@posix_only
def test_a_root_that_is_a_link_works(root: Path, tmp_path: Path) -> None:
    write(root, "a.cs")
    (tmp_path / "link").symlink_to(root)
    workspace = Workspace(tmp_path / "link")
    assert workspace.root == root
    assert paths(workspace.scan()) == ["a.cs"]


def test_further_roots_keep_stable_names(root: Path, tmp_path: Path) -> None:
    write(root, "a.cs", "vendor/lib/b.cs")
    (root / ".gitignore").write_text("/vendor/\n", encoding="utf-8")
    write(tmp_path, "x/docs/c.md", "y/docs/d.md", "x/docs/inner/e.md")
    extra = ("vendor/lib", str(tmp_path / "x/docs"), "../y/docs", str(tmp_path / "x/docs/inner"), "../nowhere")
    workspace = Workspace(root, ScopeOptions(extra_roots=extra))
    result = workspace.scan()
    assert paths(result) == [".gitignore", "@docs-2/d.md", "@docs/c.md", "@docs/inner/e.md", "a.cs", "vendor/lib/b.cs"]
    assert len(result.warnings) == 1 and "nowhere" in result.warnings[0]
    for record in result.files:
        assert workspace.read(record).source is not None
    assert workspace.name_of(workspace.resolve("@docs-2/d.md")) == "@docs-2/d.md"


def test_a_further_root_above_the_workspace_is_refused(root: Path) -> None:
    write(root, "a.cs")
    result = scan(root, extra_roots=("..",))
    assert paths(result) == ["a.cs"] and "holds the workspace itself" in result.warnings[0]


# -- git --------------------------------------------------------------------------------------------------------------


@needs_git
def test_what_git_tracks_is_source_even_where_a_rule_or_a_folder_name_says_otherwise(tmp_path: Path) -> None:
    tracked = ["App.csproj", "bin/tool", "obj/x.cs", "packages/a/b.ts", "logs/keep.log"]
    repository(tmp_path, *tracked)
    write(tmp_path, ".gitignore", text="*.log\n")
    write(tmp_path, "bin/Debug/App.json", "logs/new.log")
    result = scan(tmp_path)
    assert paths(result) == sorted([".gitignore", *tracked])
    assert reasons(result)["bin/"] is SkipReason.EXCLUDED_BY_SETTING
    assert reasons(result)["logs/new.log"] is SkipReason.IGNORED_BY_RULE


@needs_git
def test_a_tracked_file_that_was_deleted_is_simply_not_there(tmp_path: Path) -> None:
    repository(tmp_path, "a.cs", "b.cs", "sub/c.cs")
    (tmp_path / "a.cs").unlink()
    shutil.rmtree(tmp_path / "sub")
    result = scan(tmp_path)
    assert paths(result) == ["b.cs"] and not result.skips


@needs_git
@posix_only
def test_a_tracked_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside/a.cs")
    root = repository(tmp_path / "repo", "sub/a.cs", "b.cs")
    shutil.rmtree(root / "sub")
    (root / "sub").symlink_to(tmp_path / "outside")
    result = scan(root)
    assert paths(result) == ["b.cs"]
    assert reasons(result) == {"sub": SkipReason.OUTSIDE_ROOT}


@needs_git
def test_a_subfolder_of_a_repository_is_listed_by_the_rules_above_it(tmp_path: Path) -> None:
    repository(tmp_path, "a.cs", "sub/b.cs")
    write(tmp_path, ".gitignore", text="*.log\n")
    write(tmp_path, "sub/c.log", "sub/d.cs")
    assert paths(scan(tmp_path / "sub")) == ["b.cs", "d.cs"]


@needs_git
def test_a_root_that_its_repository_ignores_is_walked(tmp_path: Path) -> None:
    repository(tmp_path, "a.cs")
    write(tmp_path, ".gitignore", text="/scratch/\n")
    write(tmp_path, "scratch/b.cs", "scratch/c/d.cs")
    assert paths(scan(tmp_path / "scratch")) == ["b.cs", "c/d.cs"]


@needs_git
def test_worktrees_are_scanned(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", "a.cs")
    git(root, "worktree", "add", "-q", "../tree")
    write(tmp_path / "tree", "b.cs")
    assert paths(scan(tmp_path / "tree")) == ["a.cs", "b.cs"]


@needs_git
def test_submodules_and_clones_inside_are_listed_by_their_own_rules(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", "lib.cs", "bin/tracked.cs")
    root = repository(tmp_path / "repo", "a.cs")
    git(root, "submodule", "add", "-q", str(library), "libs/one")
    write(root, "libs/one/.gitignore", text="*.tmp\n")
    write(root, "libs/one/x.tmp", "libs/one/new.cs")
    repository(root / "clone", "inner.cs")
    result = scan(root)
    expected = [".gitmodules", "a.cs", "clone/inner.cs", "libs/one/.gitignore", "libs/one/bin/tracked.cs"]
    assert paths(result) == [*expected, "libs/one/lib.cs", "libs/one/new.cs"]
    assert reasons(result)["libs/one/x.tmp"] is SkipReason.IGNORED_BY_RULE
    closed = scan(root, follow_submodules=False)
    assert paths(closed) == [".gitmodules", "a.cs"]
    assert reasons(closed) == {"clone/": SkipReason.SUBMODULE, "libs/one/": SkipReason.SUBMODULE}


@needs_git
def test_a_submodule_that_is_not_checked_out_is_recorded(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", "lib.cs")
    root = repository(tmp_path / "repo", "a.cs")
    git(root, "submodule", "add", "-q", str(library), "lib")
    git(root, "commit", "-q", "-m", "add")
    git(tmp_path, "clone", "-q", str(root), "copy")
    assert reasons(scan(tmp_path / "copy")) == {"lib/": SkipReason.SUBMODULE}


@needs_git
def test_repositories_in_a_folder_that_is_none_are_listed_by_their_own_git(tmp_path: Path) -> None:
    repository(tmp_path / "one", "a.log", "b.cs")
    write(tmp_path / "one", ".gitignore", text="*.log\n")
    write(tmp_path, "one/c.log", "two/d.cs")
    assert paths(scan(tmp_path)) == ["one/.gitignore", "one/a.log", "one/b.cs", "two/d.cs"]


@needs_git
def test_git_can_be_turned_off(tmp_path: Path) -> None:
    repository(tmp_path, "a.log", "b.cs")
    write(tmp_path, ".gitignore", text="*.log\n")
    assert paths(scan(tmp_path, use_git=False)) == [".gitignore", "b.cs"]


@needs_git
def test_conflicts_list_a_file_once(tmp_path: Path) -> None:
    root = repository(tmp_path, "a.cs")
    git(root, "checkout", "-q", "-b", "other")
    write(root, "a.cs", text="other\n")
    git(root, "commit", "-q", "-a", "-m", "other")
    git(root, "checkout", "-q", "main")
    write(root, "a.cs", text="main\n")
    git(root, "commit", "-q", "-a", "-m", "main")
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "merge", "other")
    assert paths(scan(root)) == ["a.cs"]


@needs_git
def test_a_repository_that_git_refuses_is_walked_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(tmp_path, "a.cs")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    result = scan(tmp_path)
    assert paths(result) == ["a.cs"]
    assert "another user owns it" in result.warnings[0]


def test_without_a_git_program_files_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.cs", "b.log")
    write(tmp_path, ".gitignore", text="*.log\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    result = scan(tmp_path)
    assert paths(result) == [".gitignore", "a.cs"]


@needs_git
def test_an_environment_that_points_git_elsewhere_is_not_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repository(tmp_path / "other", "other.cs")
    root = repository(tmp_path / "repo", "a.cs")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert paths(scan(root)) == ["a.cs"]


@needs_git
def test_a_monitor_that_a_repository_configures_is_not_run(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", "a.cs")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\n", encoding="utf-8")
    trap.chmod(0o755)
    git(root, "config", "core.fsmonitor", str(trap))
    scan(root).ledger()
    assert not (tmp_path / "sprung").exists()
