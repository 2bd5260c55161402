"""A repository's own settings file may narrow and never widen."""

import sys
from pathlib import Path

import pytest
import tomli_w

from hybrid_index.errors import SettingsError
from hybrid_index.settings import Settings
from hybrid_index.settings.trust import WorkspaceRule


@pytest.fixture
def user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "user.toml"
    path.write_text("", encoding="utf-8")
    monkeypatch.setenv("HYBRID_INDEX_CONFIG", str(path))
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / ".hybrid-index").mkdir(parents=True)
    return root


def load(workspace: Path, key: str, value: object) -> Settings:
    section, _, name = key.partition(".")
    text = tomli_w.dumps({section: {name: value}})
    (workspace / ".hybrid-index" / "settings.toml").write_text(text, encoding="utf-8")
    return Settings.load(workspace)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scope.extra_roots", ["../other"]),
        ("scope.extra_roots", ["docs/../../other"]),
        ("scope.extra_roots", ["/etc"]),
        ("scope.extra_roots", ["C:\\Users"]),
        ("scope.extra_roots", ["\\\\?\\C:\\Users"]),
        ("scope.extra_roots", ["\\\\server\\share"]),
        ("scope.exclude_roots", ["/etc"]),
        ("scope.ignore_files", ["../../.secrets"]),
        ("scope.exclude_segments", ["bin"]),
        ("scope.mask_secrets", False),
        ("scope.max_file_bytes", 2_000_001),
        ("semantic.provider", "fastembed"),
        ("semantic.model", "BAAI/bge-small-en-v1.5"),
        ("semantic.model", "models/mine"),
        ("index.dir", "/tmp/index"),
        ("index.dir", "elsewhere"),
        ("index.workers", 64),
        ("budget.hard_max_tokens", 900_000),
        ("budget.deadline_ms", 60_000),
        ("budget.top_n", 200),
        ("fts.k", 50_000),
    ],
)
def test_a_repository_cannot_widen(user_file: Path, workspace: Path, key: str, value: object) -> None:
    with pytest.raises(SettingsError) as error:
        load(workspace, key, value)
    message = str(error.value)
    assert key in message
    assert str(workspace / ".hybrid-index" / "settings.toml") in message
    assert str(user_file) in message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scope.extra_roots", ["vendor/ours"]),
        ("scope.exclude_roots", ["legacy"]),
        ("scope.exclude_segments", ["+snapshots", "-packages"]),
        ("scope.include_extensions", [".cs"]),
        ("scope.max_file_bytes", 100_000),
        ("scope.mask_secrets", True),
        ("semantic.enabled", False),
        ("semantic.vector_extensions", [".md"]),
        ("fusion.alpha", 1.0),
        ("budget.max_tokens", 4_000),
        ("ranking.mode", "docs_first"),
        ("semantic.model", ""),
    ],
)
def test_a_repository_can_narrow_and_tune(user_file: Path, workspace: Path, key: str, value: object) -> None:
    settings = load(workspace, key, value)
    assert {row.key: row.source for row in settings.sources()}[key] == "workspace file"


def test_a_repository_cannot_undo_what_the_user_narrowed(user_file: Path, workspace: Path) -> None:
    user_file.write_text("[semantic]\nenabled = false\n[scope]\nmax_file_bytes = 1000\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="may only turn this off"):
        load(workspace, "semantic.enabled", True)
    assert load(workspace, "scope.max_file_bytes", 500).scope.max_file_bytes == 500


def test_a_number_the_user_lowered_stays_lowered(user_file: Path, workspace: Path) -> None:
    user_file.write_text("[scope]\nmax_file_bytes = 1000\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="at most 1,000"):
        load(workspace, "scope.max_file_bytes", 1001)


def test_a_repository_may_repeat_what_the_user_allows(user_file: Path, workspace: Path) -> None:
    user_file.write_text('[scope]\nmax_file_bytes = 9000000\nextra_roots = ["/srv/shared"]\n', encoding="utf-8")
    assert load(workspace, "scope.max_file_bytes", 9_000_000).scope.max_file_bytes == 9_000_000
    assert load(workspace, "scope.extra_roots", ["/srv/shared"]).scope.extra_roots == ("/srv/shared",)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_relative_root_that_is_a_link_outside_is_refused(user_file: Path, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (workspace / "docs").symlink_to(tmp_path / "outside", target_is_directory=True)
    with pytest.raises(SettingsError, match="relative paths inside itself"):
        load(workspace, "scope.extra_roots", ["docs"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_a_settings_file_that_is_a_link_outside_is_refused(user_file: Path, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.toml").write_text("[fusion]\nalpha = 1.0\n", encoding="utf-8")
    (workspace / ".hybrid-index" / "settings.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(SettingsError, match="link that leaves the workspace"):
        Settings.load(workspace)


def test_every_setting_states_what_a_repository_may_do_with_it() -> None:
    unruled = [
        key
        for key, info in Settings.keys().items()
        if not any(isinstance(part, WorkspaceRule) for part in info.metadata)
    ]
    assert unruled == []
