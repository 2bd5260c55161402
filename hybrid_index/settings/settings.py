"""`Settings`: one validated, frozen object, and the options that it builds for each package."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import PrivateAttr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from hybrid_index.embeddings.options import EmbeddingOptions
from hybrid_index.errors import SettingsError
from hybrid_index.indexing.options import ContentOptions, IndexingOptions
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.retrieval.options import BudgetOptions, FtsOptions, FusionOptions, RankingOptions, RetrievalOptions
from hybrid_index.settings import layers, sections
from hybrid_index.settings.trust import UserOnly, WorkspaceRule
from hybrid_index.workspace.options import ScopeOptions

_UNRULED = UserOnly("a repository may not set it")


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One effective setting: its key, value, the layer that set it, and what it means."""

    key: str
    value: str
    source: str
    description: str


class Settings(BaseSettings):
    """Every setting of one workspace. `Settings()` is the defaults; `Settings.load` reads all layers."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    scope: sections.ScopeSection = sections.ScopeSection()
    chunking: sections.ChunkingSection = sections.ChunkingSection()
    fts: sections.FtsSection = sections.FtsSection()
    semantic: sections.SemanticSection = sections.SemanticSection()
    fusion: sections.FusionSection = sections.FusionSection()
    ranking: sections.RankingSection = sections.RankingSection()
    budget: sections.BudgetSection = sections.BudgetSection()
    index: sections.IndexSection = sections.IndexSection()
    mcp: sections.McpSection = sections.McpSection()

    _set_by: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read nothing implicitly: `load` is the one place that reads the environment and files."""
        return (init_settings,)

    @classmethod
    def load(cls, root: Path | str, overrides: Mapping[str, Any] | None = None) -> Settings:
        """Read all layers for the workspace at `root`; later ones win.

        Defaults, the user's file, the workspace's file, the environment, then `overrides` (`section.key` to value;
        text is parsed, lists may be comma-separated or a JSON array, `+x,-y` edits the list below).

        Raises:
            SettingsError: an unknown key or an unacceptable value; names the key, its origin, and what is accepted.
        """
        folder = Path(root)
        merged = _Merge(cls)
        merged.add(layers.user_file(cls))
        merged.add(layers.workspace_file(cls, folder), folder)
        merged.add(layers.environment(cls))
        merged.add(layers.overrides(overrides))
        return merged.result()

    @classmethod
    def keys(cls) -> dict[str, FieldInfo]:
        """Return every `section.key` with its field, in the order of the documentation."""
        return {
            f"{section}.{key}": info
            for section, field in cls.model_fields.items()
            if isinstance(field.annotation, type) and issubclass(field.annotation, sections.Section)
            for key, info in field.annotation.model_fields.items()
        }

    def value(self, key: str) -> Any:
        """Return the value of `section.key`."""
        section, _, name = key.partition(".")
        return getattr(getattr(self, section), name)

    def sources(self) -> list[SettingRow]:
        """Return every setting with its value, the layer that set it and its description."""
        return [
            SettingRow(key, render(self.value(key)), self._set_by.get(key, "default"), info.description or "")
            for key, info in self.keys().items()
        ]

    def scope_options(self) -> ScopeOptions:
        """Build what the workspace scan needs."""
        return ScopeOptions(**self.scope.options())

    def chunking_options(self) -> ChunkingOptions:
        """Build what the chunkers need."""
        return ChunkingOptions(**self.chunking.options())

    def embedding_options(self) -> EmbeddingOptions:
        """Build what the embedders need."""
        return EmbeddingOptions(**self.semantic.options("vector_extensions"))

    def retrieval_options(self) -> RetrievalOptions:
        """Build what the text-ranked side needs."""
        return RetrievalOptions(
            fts=FtsOptions(**self.fts.options()),
            fusion=FusionOptions(**self.fusion.options()),
            ranking=RankingOptions(**self.ranking.options()),
            budget=BudgetOptions(**self.budget.options()),
        )

    def indexing_options(self) -> IndexingOptions:
        """Build what the write side needs."""
        return IndexingOptions(**self.index.options("dir"))

    def content_options(self) -> ContentOptions:
        """Build what decides which rows a file becomes."""
        return ContentOptions(
            scope=self.scope_options(),
            chunking=self.chunking_options(),
            embedding=self.embedding_options(),
            keyword_csharp=self.fts.index_csharp,
            vector_extensions=self.semantic.vector_extensions,
        )


def render(value: Any) -> str:
    """Write a value the way TOML does, for people."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(render(item) for item in value)}]"
    return f'"{value}"' if isinstance(value, str) else f"{value}"


class _Merge:
    """Layers, one laid over the other, each value remembering where it came from."""

    def __init__(self, settings: type[Settings]) -> None:
        self._settings = settings
        self._fields = settings.keys()
        self._values: dict[str, Any] = {}
        self._set_by: dict[str, str] = {}
        self._origins: dict[str, str] = {}

    def add(self, layer: layers.Layer | None, untrusted_root: Path | None = None) -> None:
        """Lay a layer on top; with `untrusted_root` it is a repository's own file."""
        if layer is None:
            return
        for key in layer.values:
            if key not in self._fields:
                raise SettingsError(_unknown(key, layer.origins[key], list(self._fields)))
        below = self._built()
        for key, raw in layer.values.items():
            origin = layer.origins[key]
            self._values[key] = self._parsed(key, origin, raw, below.value(key))
            self._set_by[key], self._origins[key] = layer.name, origin
        if untrusted_root is not None:
            self._refuse_widening(layer, below, self._built(), untrusted_root)

    def result(self) -> Settings:
        """Validate and freeze."""
        settings = self._built()
        settings._set_by.update(self._set_by)
        return settings

    def _refuse_widening(self, layer: layers.Layer, below: Settings, above: Settings, root: Path) -> None:
        for key in layer.values:
            rule = next((part for part in self._fields[key].metadata if isinstance(part, WorkspaceRule)), _UNRULED)
            objection = rule.objection(above.value(key), below.value(key), root)
            if objection:
                raise SettingsError(
                    f"{key} = {render(above.value(key))} in {layer.origins[key]}: {objection}. "
                    f"If you trust it, put it into your own file, {layers.user_settings_path()}."
                )

    def _parsed(self, key: str, origin: str, raw: Any, below: Any) -> Any:
        if not isinstance(below, tuple):
            return raw.strip() if isinstance(raw, str) else raw
        items = layers.parse_list(key, origin, raw) if isinstance(raw, str) else raw
        if isinstance(items, list | tuple) and _is_edit(items):
            removed = {item[1:] for item in items if item[0] == "-"}
            return [item for item in below if item not in removed] + [item[1:] for item in items if item[0] == "+"]
        return items

    def _built(self) -> Settings:
        tables: dict[str, dict[str, Any]] = {}
        for key, value in self._values.items():
            section, _, name = key.partition(".")
            tables.setdefault(section, {})[name] = value
        try:
            return self._settings.model_validate(tables)
        except ValidationError as error:
            problems = [self._problem(dict(problem)) for problem in error.errors(include_url=False)]
            raise SettingsError("\n".join(dict.fromkeys(problems))) from error

    def _problem(self, problem: Mapping[str, Any]) -> str:
        location = [str(part) for part in problem["loc"]]
        key = ".".join(location[:2])
        if key not in self._fields:  # a rule between keys of one section
            set_here = [name for name in self._origins if name.startswith(f"{key}.")]
            where = ", ".join(f"{name} ({self._origins[name]})" for name in set_here)
            return f"[{key}]: {_message(problem)}. Set here: {where}."
        given = render(problem["input"]) if isinstance(problem["input"], str | bool | int | float) else "this value"
        return f"{key} = {given} ({self._origins.get(key, 'default')}) cannot be used: {_message(problem)}."


def _is_edit(items: Sequence[Any]) -> bool:
    """Whether a list edits the one below it: every item starts with + or -."""
    return bool(items) and all(isinstance(item, str) and len(item) > 1 and item[0] in "+-" for item in items)


def _message(problem: Mapping[str, Any]) -> str:
    message = str(problem["msg"]).removeprefix("Value error, ").rstrip(".")
    return message.replace("Input should be", "it must be").replace("'", '"')


def _unknown(key: str, origin: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    if not near:  # the right name in the wrong section, or none
        name = key.rpartition(".")[2]
        near = [other for other in known if other.rpartition(".")[2] == name][:1]
    section = key.partition(".")[0]
    listed = [other for other in known if other.startswith(f"{section}.")]
    advice = (
        f"Did you mean {near[0]}?"
        if near
        else f"Known {'keys' if listed else 'sections'}: "
        + ", ".join(listed or sorted({other.partition(".")[0] for other in known}))
        + "."
    )
    return f"{key} ({origin}) is not a setting. {advice}"
