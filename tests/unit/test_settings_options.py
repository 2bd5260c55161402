"""Settings and the packages' options cannot drift apart, nor the example file from either."""

import dataclasses
import tomllib
from pathlib import Path

import pytest

from hybrid_index.embeddings.options import EmbeddingOptions
from hybrid_index.indexing.options import ContentOptions, IndexingOptions
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.retrieval.options import RetrievalOptions
from hybrid_index.settings import Settings
from hybrid_index.settings.example import example_toml
from hybrid_index.workspace.options import ScopeOptions


def test_the_defaults_are_those_of_the_packages() -> None:
    settings = Settings()
    assert settings.scope_options() == ScopeOptions()
    assert settings.chunking_options() == ChunkingOptions()
    assert settings.embedding_options() == EmbeddingOptions()
    assert settings.retrieval_options() == RetrievalOptions()
    assert settings.indexing_options() == IndexingOptions()
    assert settings.content_options() == ContentOptions()


def test_every_field_of_an_option_class_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HYBRID_INDEX_CONFIG", raising=False)
    retrieval = RetrievalOptions()
    known = {key.partition(".")[2] for key in Settings.keys()}
    for options in (
        ScopeOptions(),
        ChunkingOptions(),
        EmbeddingOptions(),
        IndexingOptions(),
        *(getattr(retrieval, field.name) for field in dataclasses.fields(retrieval)),
    ):
        assert {field.name for field in dataclasses.fields(options)} <= known


def test_a_changed_setting_reaches_the_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_file = tmp_path / "user.toml"
    user_file.write_text("", encoding="utf-8")
    monkeypatch.setenv("HYBRID_INDEX_CONFIG", str(user_file))
    settings = Settings.load(
        tmp_path,
        {
            "scope.exclude_roots": "old",
            "chunking.window_lines": "80",
            "fts.index_csharp": "false",
            "semantic.vector_extensions": "md",
            "fusion.normalisation": "rrf",
            "ranking.mode": "docs_first",
            "budget.top_n": "3",
            "index.workers": "2",
        },
    )
    content = settings.content_options()
    assert content.scope.exclude_roots == ("old",)
    assert content.chunking.window_lines == 80
    assert not content.in_keywords("csharp")
    assert content.in_vectors(".md")
    assert not content.in_vectors(".cs")
    assert settings.retrieval_options().fusion.normalisation == "rrf"
    assert settings.retrieval_options().ranking.mode == "docs_first"
    assert settings.retrieval_options().budget.top_n == 3
    assert settings.indexing_options().workers == 2
    assert settings.content_options().vector_extensions == (".md",)


def test_every_setting_has_a_description_of_one_line() -> None:
    for key, info in Settings.keys().items():
        assert info.description, key
        assert "\n" not in info.description


def test_the_example_file_is_current() -> None:
    path = Path(__file__).parents[2] / "settings.example.toml"
    assert path.read_text(encoding="utf-8") == example_toml(), "run `python -m hybrid_index.settings`"


def test_the_example_file_holds_every_setting_at_its_default() -> None:
    tables = tomllib.loads(example_toml())
    assert Settings.model_validate(tables) == Settings()
    assert {f"{section}.{key}" for section, table in tables.items() for key in table} == set(Settings.keys())


def test_the_example_file_can_be_put_into_a_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_file = tmp_path / "user.toml"
    user_file.write_text("", encoding="utf-8")
    monkeypatch.setenv("HYBRID_INDEX_CONFIG", str(user_file))
    (tmp_path / ".hybrid-index").mkdir()
    (tmp_path / ".hybrid-index" / "settings.toml").write_text(example_toml(), encoding="utf-8")
    assert Settings.load(tmp_path).model_dump() == Settings().model_dump()
