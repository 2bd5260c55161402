"""Settings: which layer wins, and what an error says."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from hybrid_index.errors import SettingsError
from hybrid_index.settings import Settings, user_settings_path


@pytest.fixture
def user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "user" / "settings.toml"
    path.parent.mkdir()
    path.write_text("", encoding="utf-8")
    monkeypatch.setenv("HYBRID_INDEX_CONFIG", str(path))
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    (root / ".hybrid-index").mkdir(parents=True)
    return root


def write_workspace_file(workspace: Path, text: str) -> None:
    (workspace / ".hybrid-index" / "settings.toml").write_text(text, encoding="utf-8")


def sources(settings: Settings) -> dict[str, str]:
    return {row.key: row.source for row in settings.sources()}


def test_each_layer_overrides_the_one_below_it(
    user_file: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_file.write_text("[fusion]\nalpha = 0.1\nbeta = 0.1\nrrf_k = 11\nvec_k = 11\n", encoding="utf-8")
    write_workspace_file(workspace, "[fusion]\nbeta = 0.2\nrrf_k = 12\nvec_k = 12\n")
    monkeypatch.setenv("HYBRID_INDEX_FUSION__RRF_K", "13")
    monkeypatch.setenv("HYBRID_INDEX_FUSION__VEC_K", "13")

    settings = Settings.load(workspace, {"fusion.vec_k": "14"})

    fusion = settings.fusion
    assert (fusion.alpha, fusion.beta, fusion.rrf_k, fusion.vec_k) == (0.1, 0.2, 13, 14)
    told = sources(settings)
    assert [told[f"fusion.{key}"] for key in ("alpha", "beta", "rrf_k", "vec_k", "normalisation")] == [
        "user file",
        "workspace file",
        "environment",
        "command line",
        "default",
    ]


def test_without_any_layer_the_defaults_hold(user_file: Path, workspace: Path) -> None:
    assert Settings.load(workspace) == Settings()
    assert set(sources(Settings.load(workspace)).values()) == {"default"}


def test_constructing_settings_reads_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRID_INDEX_FUSION__ALPHA", "0.9")
    assert Settings().fusion.alpha == 0.65


def test_settings_cannot_be_changed(user_file: Path, workspace: Path) -> None:
    settings = Settings.load(workspace)
    with pytest.raises(ValueError, match="frozen"):
        settings.fusion.alpha = 0.9


@pytest.mark.parametrize(
    ("text", "expected"),
    [("cs,md", (".cs", ".md")), ('["cs", "*.MD"]', (".cs", ".md")), ("", ()), ('[".cs", ""]', (".cs", ""))],
)
def test_lists_from_the_environment_are_commas_or_json(
    user_file: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: tuple[str, ...]
) -> None:
    monkeypatch.setenv("HYBRID_INDEX_SCOPE__INCLUDE_EXTENSIONS", text)
    assert Settings.load(workspace).scope.include_extensions == expected


def test_a_list_of_plus_and_minus_items_edits_the_list_below(user_file: Path, workspace: Path) -> None:
    user_file.write_text('[scope]\nexclude_segments = ["+out", "-packages"]\n', encoding="utf-8")
    settings = Settings.load(workspace, {"scope.exclude_segments": "+deploy,-out"})
    defaults = set(Settings().scope.exclude_segments)
    assert set(settings.scope.exclude_segments) == (defaults - {"packages"}) | {"deploy"}


def test_a_misspelt_key_names_the_file_and_the_nearest_key(user_file: Path, workspace: Path) -> None:
    user_file.write_text("[fusion]\nalhpa = 0.5\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="fusion.alhpa") as error:
        Settings.load(workspace)
    assert str(user_file) in str(error.value)
    assert "Did you mean fusion.alpha?" in str(error.value)


def test_a_key_in_the_wrong_section_names_the_right_one(user_file: Path, workspace: Path) -> None:
    with pytest.raises(SettingsError, match="Did you mean budget.snippet_lines"):
        Settings.load(workspace, {"mcp.snippet_lines": "3"})


def test_a_key_without_a_section_is_an_error(user_file: Path, workspace: Path) -> None:
    user_file.write_text("alpha = 0.5\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="Did you mean fusion.alpha"):
        Settings.load(workspace)


def test_an_unknown_environment_variable_is_an_error(
    user_file: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYBRID_INDEX_FUSON__ALPHA", "0.5")
    with pytest.raises(SettingsError, match="HYBRID_INDEX_FUSON__ALPHA.*fusion.alpha"):
        Settings.load(workspace)


def test_an_unacceptable_value_names_what_is_accepted(
    user_file: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYBRID_INDEX_FUSION__NORMALISATION", "zscore")
    with pytest.raises(SettingsError) as error:
        Settings.load(workspace)
    message = str(error.value)
    assert "fusion.normalisation" in message
    assert "HYBRID_INDEX_FUSION__NORMALISATION" in message
    assert all(accepted in message for accepted in ("minmax", "rank", "rrf"))


def test_a_number_out_of_bounds_names_the_bound(user_file: Path, workspace: Path) -> None:
    with pytest.raises(SettingsError, match='budget.top_n = "900" .*less than or equal to 200'):
        Settings.load(workspace, {"budget.top_n": "900"})


def test_two_keys_that_contradict_each_other_are_an_error(user_file: Path, workspace: Path) -> None:
    with pytest.raises(SettingsError, match="overlap_lines must be smaller than window_lines.*--set"):
        Settings.load(workspace, {"chunking.overlap_lines": 60})


@pytest.mark.parametrize("content", [b"[fusion\nalpha", b"\xff\xfe\x00", b"[fusion]\nalpha = [1,"])
def test_a_file_that_is_not_toml_is_named(user_file: Path, workspace: Path, content: bytes) -> None:
    user_file.write_bytes(content)
    with pytest.raises(SettingsError, match="settings.toml is not valid TOML"):
        Settings.load(workspace)


def test_a_settings_file_of_absurd_size_is_refused(user_file: Path, workspace: Path) -> None:
    write_workspace_file(workspace, "# " + "x" * 300_000)
    with pytest.raises(SettingsError, match="larger than"):
        Settings.load(workspace)


def test_a_missing_file_named_by_the_environment_is_an_error(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRID_INDEX_CONFIG", str(workspace / "nowhere.toml"))
    with pytest.raises(SettingsError, match="HYBRID_INDEX_CONFIG names"):
        Settings.load(workspace)


def test_the_user_file_has_a_place_without_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HYBRID_INDEX_CONFIG", raising=False)
    assert user_settings_path().parts[-2:] == ("hybrid-index", "settings.toml")


@given(key=st.sampled_from(sorted(Settings.keys())), value=st.text(max_size=30) | st.integers() | st.floats())
@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
def test_any_value_is_accepted_or_refused_with_the_key_named(
    user_file: Path, workspace: Path, key: str, value: object
) -> None:
    try:
        Settings.load(workspace, {key: value})
    except SettingsError as error:
        assert key.partition(".")[0] in str(error)
