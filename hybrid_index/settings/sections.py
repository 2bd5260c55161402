"""Every setting: its type, bounds, one line of description, and what a repository's own file may do with it.

Defaults are those of the packages' option classes, so that each stands in one place.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from hybrid_index.embeddings.options import EmbeddingOptions
from hybrid_index.indexing.options import ContentOptions, IndexingOptions
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.retrieval.options import BudgetOptions, FtsOptions, FusionOptions, RankingOptions
from hybrid_index.settings.trust import AtMost, Free, InsideRoot, Keeps, OnlyTo, UserOnly
from hybrid_index.workspace.options import ScopeOptions

_SCOPE = ScopeOptions()
_CHUNKING = ChunkingOptions()
_FTS = FtsOptions()
_EMBEDDING = EmbeddingOptions()
_FUSION = FusionOptions()
_RANKING = RankingOptions()
_BUDGET = BudgetOptions()
_INDEXING = IndexingOptions()
_CONTENT = ContentOptions()

# Indexing these would store credentials of remotes, or the index itself.
_NEVER_ENTERED = (".git", ".hg", ".svn", ".hybrid-index")


def _as_extension(value: str) -> str:
    """Accept `cs`, `*.cs` and `.CS` for `.cs`; the empty text stands for "no extension"."""
    bare = value.strip().lower().removeprefix("*").lstrip(".")
    return f".{bare}" if bare else ""


def _as_extensions(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_as_extension(value) for value in values))


def _known_encoding(value: str) -> str:
    try:
        b"".decode(value)
    except LookupError as error:
        raise ValueError("it must be an encoding that Python knows, such as cp1252 or shift_jis") from error
    return value


Extensions = Annotated[tuple[str, ...], AfterValidator(_as_extensions)]
Texts = tuple[str, ...]


class Section(BaseModel):
    """Base of the sections: frozen, strict about names."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def options(self, *leave_out: str) -> dict[str, Any]:
        """Return the values as keyword arguments of the section's option class."""
        return {name: getattr(self, name) for name in type(self).model_fields if name not in leave_out}


class ScopeSection(Section):
    """Which files are indexed."""

    extra_roots: Annotated[Texts, InsideRoot()] = Field(
        _SCOPE.extra_roots, description="Further folders to include, absolute or relative to the workspace."
    )
    exclude_roots: Annotated[Texts, InsideRoot()] = Field(
        _SCOPE.exclude_roots, description="Folders, relative to the workspace, to leave out."
    )
    exclude_segments: Annotated[Texts, Keeps(_NEVER_ENTERED)] = Field(
        _SCOPE.exclude_segments,
        description="Folder names that are not entered, wherever they occur, unless git tracks source there.",
    )
    ignore_files: Annotated[Texts, InsideRoot()] = Field(
        _SCOPE.ignore_files, description="Further ignore files in gitignore syntax, honoured in every folder."
    )
    include_extensions: Annotated[Extensions, Free()] = Field(
        _SCOPE.include_extensions,
        description='When not empty, only these extensions; "" stands for files without one.',
    )
    exclude_extensions: Annotated[Extensions, Free()] = Field(
        _SCOPE.exclude_extensions, description="Extensions to leave out."
    )
    max_file_bytes: Annotated[int, AtMost()] = Field(
        _SCOPE.max_file_bytes, ge=1, le=1_000_000_000, description="Larger files are skipped."
    )
    max_line_chars: Annotated[int, AtMost()] = Field(
        _SCOPE.max_line_chars,
        ge=100,
        le=100_000_000,
        description="A file counts as minified only if a line is longer than this.",
    )
    minified_average: Annotated[int, AtMost()] = Field(
        _SCOPE.minified_average,
        ge=50,
        le=10_000_000,
        description="And only if its lines are longer than this on average.",
    )
    fallback_encoding: Annotated[str, AfterValidator(_known_encoding), Free()] = Field(
        _SCOPE.fallback_encoding, description="Encoding of files that are not UTF-8 or UTF-16."
    )
    follow_submodules: Annotated[bool, OnlyTo(False)] = Field(
        _SCOPE.follow_submodules, description="Index the files of git submodules."
    )
    use_git: Annotated[bool, OnlyTo(False)] = Field(
        _SCOPE.use_git, description="Ask git which files belong to the workspace; off walks the folders instead."
    )
    mask_secrets: Annotated[bool, OnlyTo(True)] = Field(
        _SCOPE.mask_secrets, description="Mask keys, tokens and passwords before anything is stored or returned."
    )


class ChunkingSection(Section):
    """How files are cut."""

    max_chars: Annotated[int, AtMost(6_000)] = Field(
        _CHUNKING.max_chars, ge=200, le=100_000, description="Largest symbol or section chunk, in characters."
    )
    window_lines: Annotated[int, AtMost(200)] = Field(
        _CHUNKING.window_lines, ge=5, le=2_000, description="Lines of a window, for text without a structure."
    )
    overlap_lines: Annotated[int, AtMost(100)] = Field(
        _CHUNKING.overlap_lines, ge=0, le=1_000, description="Lines that neighbouring windows share."
    )
    small_file_chars: Annotated[int, AtMost(6_000)] = Field(
        _CHUNKING.small_file_chars, ge=0, le=100_000, description="A file no longer than this is one chunk."
    )

    @model_validator(mode="after")
    def _sizes_fit(self) -> ChunkingSection:
        if self.overlap_lines >= self.window_lines:
            raise ValueError("overlap_lines must be smaller than window_lines")
        return self


class FtsSection(Section):
    """The keyword channel."""

    enabled: Annotated[bool, Free()] = Field(_FTS.enabled, description="Search by keywords (BM25).")
    k: Annotated[int, AtMost(1_000)] = Field(
        _FTS.k, ge=1, le=100_000, description="Candidates taken from the keyword channel."
    )
    index_csharp: Annotated[bool, Free()] = Field(
        _FTS.index_csharp, description="Put .cs files into the keyword channel; off leaves everything else as it is."
    )
    weights: Annotated[tuple[Annotated[float, Field(ge=0, le=100)], ...], Free()] = Field(
        _FTS.weights,
        min_length=len(_FTS.weights),
        max_length=len(_FTS.weights),
        description="BM25 weights of file stem, folders, names, context, docs, hints and body.",
    )


class SemanticSection(Section):
    """The vector channel."""

    enabled: Annotated[bool, OnlyTo(False)] = Field(
        _EMBEDDING.enabled, description="Search by meaning (vectors); off needs no model at all."
    )
    provider: Annotated[
        Literal["static", "fastembed", "hashing"], UserOnly("a repository may not choose which model runs")
    ] = Field(
        _EMBEDDING.provider,  # type: ignore[arg-type]  # a test compares the option's default with the choices
        description="static is bundled and fast; fastembed runs ONNX models (extra); hashing is for tests.",
    )
    model: Annotated[str, UserOnly("a repository may not name a model: it could cause a download")] = Field(
        _EMBEDDING.model, description='"" is the bundled model; else a folder, or a name of the fastembed catalogue.'
    )
    dtype: Annotated[Literal["int8", "float32"], Free()] = Field(
        _EMBEDDING.dtype,  # type: ignore[arg-type]  # as above
        description="How vectors are stored; float32 needs four times the space.",
    )
    threads: Annotated[int, AtMost(8)] = Field(
        _EMBEDDING.threads, ge=0, le=256, description="Threads of an ONNX model; 0 decides by the machine."
    )
    batch_size: Annotated[int, AtMost()] = Field(
        _EMBEDDING.batch_size, ge=1, le=65_536, description="Texts embedded by one call of an ONNX model."
    )
    header_components: Annotated[int, Free()] = Field(
        _EMBEDDING.header_components, ge=0, le=20, description="Path components put before a chunk of a static model."
    )
    header_repeats: Annotated[int, Free()] = Field(
        _EMBEDDING.header_repeats, ge=0, le=20, description="How often; a path says more than its few words weigh."
    )
    vector_extensions: Annotated[Extensions, Free()] = Field(
        _CONTENT.vector_extensions, description="When not empty, only these extensions are embedded; empty inherits."
    )


class FusionSection(Section):
    """How the channels become one score."""

    alpha: Annotated[float, Free()] = Field(_FUSION.alpha, ge=0, le=100, description="Weight of the keyword channel.")
    beta: Annotated[float, Free()] = Field(_FUSION.beta, ge=0, le=100, description="Weight of the vector channel.")
    vec_k: Annotated[int, AtMost(1_000)] = Field(
        _FUSION.vec_k, ge=1, le=100_000, description="Candidates taken from the vector channel."
    )
    normalisation: Annotated[Literal["minmax", "rank", "rrf"], Free()] = Field(
        _FUSION.normalisation,  # type: ignore[arg-type]  # as above
        description="How raw scores of a channel become comparable.",
    )
    rrf_k: Annotated[int, Free()] = Field(
        _FUSION.rrf_k, ge=1, le=10_000, description="The constant of reciprocal rank fusion."
    )
    adapt_to_query: Annotated[bool, Free()] = Field(
        _FUSION.adapt_to_query, description="Lean on keywords for short and symbol-like queries."
    )
    short_query_tokens: Annotated[int, Free()] = Field(
        _FUSION.short_query_tokens, ge=0, le=100, description="Queries of at most this many words count as short."
    )
    short_query_alpha: Annotated[float, Free()] = Field(
        _FUSION.short_query_alpha, ge=0, le=1, description="Share of the keyword channel for a short query."
    )
    vector_floor: Annotated[float, Free()] = Field(
        _FUSION.vector_floor, ge=-1, le=1, description="Cosine below which a vector hit is not mixed in."
    )

    @model_validator(mode="after")
    def _one_weight_counts(self) -> FusionSection:
        if self.alpha == 0 and self.beta == 0:
            raise ValueError("alpha and beta must not both be 0")
        return self


class RankingSection(Section):
    """The signals that follow fusion."""

    signals: Annotated[bool, Free()] = Field(
        _RANKING.signals, description="Apply ranking signals; off ranks by the two channels alone."
    )
    mode: Annotated[Literal["balanced", "docs_first", "code_first"], Free()] = Field(
        _RANKING.mode,  # type: ignore[arg-type]  # as above
        description="Prefer documentation, code, or neither.",
    )
    max_per_file: Annotated[int, Free()] = Field(
        _RANKING.max_per_file,
        ge=0,
        le=1_000,
        description="Hits of one file before other files come first; 0 = no limit.",
    )
    disabled_signals: Annotated[Texts, Free()] = Field(
        _RANKING.disabled_signals, description="Names of signals to leave out; explain lists them."
    )


class BudgetSection(Section):
    """How large and how slow a reply may be."""

    top_n: Annotated[int, AtMost(50)] = Field(
        _BUDGET.top_n, ge=1, le=200, description="Hits of a reply unless the caller says otherwise."
    )
    max_tokens: Annotated[int, AtMost(_BUDGET.hard_max_tokens)] = Field(
        _BUDGET.max_tokens, ge=100, le=1_000_000, description="Largest reply, in tokens of 4 characters."
    )
    hard_max_tokens: Annotated[int, AtMost()] = Field(
        _BUDGET.hard_max_tokens, ge=100, le=1_000_000, description="What a caller's max_tokens can raise it to."
    )
    snippet_lines: Annotated[int, AtMost(100)] = Field(
        _BUDGET.snippet_lines, ge=0, le=400, description="Lines of a snippet; 0 sends none."
    )
    deadline_ms: Annotated[int, AtMost()] = Field(
        _BUDGET.deadline_ms, ge=10, le=600_000, description="After this long a call answers with what it has."
    )

    @model_validator(mode="after")
    def _soft_below_hard(self) -> BudgetSection:
        if self.max_tokens > self.hard_max_tokens:
            raise ValueError("max_tokens must not be larger than hard_max_tokens")
        return self


class IndexSection(Section):
    """How the index is built and kept fresh."""

    dir: Annotated[str, UserOnly("a repository may not choose where its index is written")] = Field(
        "", description='Folder of the index; "" is .hybrid-index in the workspace, or the user cache where read-only.'
    )
    workers: Annotated[int, AtMost(8)] = Field(
        _INDEXING.workers, ge=0, le=256, description="Processes that parse files; 0 is one per core, at most 8."
    )
    batch_files: Annotated[int, AtMost()] = Field(
        _INDEXING.batch_files, ge=1, le=100_000, description="Files committed together: what a killed run can lose."
    )
    watch: Annotated[bool, OnlyTo(False)] = Field(_INDEXING.watch, description="A server follows changes by itself.")
    debounce_ms: Annotated[int, Free()] = Field(
        _INDEXING.debounce_ms, ge=0, le=60_000, description="How long a change may settle before it is indexed."
    )
    inline_max_files: Annotated[int, AtMost()] = Field(
        _INDEXING.inline_max_files, ge=0, le=10_000, description="Changed files that are indexed before answering."
    )


class McpSection(Section):
    """The MCP server."""

    tools: Annotated[Literal["core", "full"], Free()] = Field(
        "core", description="Which tools are offered; each one's schema costs every agent tokens."
    )
    reply: Annotated[Literal["structured", "text"], Free()] = Field(
        "structured",
        description="structured sends typed fields and a summary; text is for clients that read text only.",
    )
