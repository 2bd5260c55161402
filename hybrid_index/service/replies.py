"""What every operation answers: the wire contract, and the MCP output schemas.

Field names are stable. Lines are 1-based and inclusive; paths are workspace-relative with `/`; scores are 0..1 within a
reply unless a field says otherwise.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from hybrid_index.types import Confidence, HitKind

IndexStatusName = Literal["fresh", "building", "partial", "stale", "missing"]


class Model(BaseModel):
    """Base of all wire models: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class IndexState(Model):
    """What the answer was computed from, true at the moment of the answer."""

    version: str  # generation of the index: changes with every commit to it
    status: IndexStatusName
    reason: str | None = None  # why the status is not "fresh"
    root: str
    indexed_commit: str | None = None
    head: str | None = None
    dirty: bool | None = None
    lagging_files: int = 0
    coverage: float = 1.0  # share of the files in scope that are indexed
    vector: str = "on"  # "on", "off" or "unavailable(reason)"


class Omitted(Model):
    """What a budget or a limit left out, and how to reach it."""

    count: int
    what: str


class Reply(Model):
    """Fields of every reply."""

    summary: str
    index: IndexState
    elapsed_ms: float
    truncated: bool = False
    partial: bool = False
    partial_reason: str | None = None
    next_cursor: str | None = None
    omitted: Omitted | None = None


class Followup(Model):
    """The call that would confirm or widen a hit."""

    tool: str
    arguments: dict[str, str]


class Hit(Model):
    """One ranked result."""

    chunk_id: str
    path: str
    start_line: int
    end_line: int
    hit_kind: HitKind
    rank: int
    score: float
    fts_score: float | None = None
    vec_score: float | None = None
    fts_rank: int | None = None
    vec_rank: int | None = None
    language: str
    symbol: str | None = None
    project: str | None = None
    is_test: bool = False
    is_generated: bool = False
    pair: str | None = None
    snippet: str
    snippet_start_line: int
    followup: Followup | None = None


class Searched(Model):
    """What was searched and what was not, so that absence can be cited."""

    files: int
    chunks: int
    skipped_files: int
    channels: list[str]
    filters: list[str] = []


class SearchReply(Reply):
    """`search`."""

    query: str
    hits: list[Hit]
    searched: Searched


class Contribution(Model):
    """One named part of a score; the parts of a hit add up to its raw score."""

    name: str
    value: float
    why: str


class ChannelScore(Model):
    """What one channel said of a chunk."""

    channel: Literal["fts", "vec"]
    rank: int | None
    raw: float | None
    normalised: float | None
    weight: float


class QueryAnalysis(Model):
    """How the query was understood."""

    kind: str  # "symbol", "path", "literal", "natural"
    terms: list[str]
    phrases: list[str] = []
    filters: list[str] = []
    fts_expression: str
    alpha: float
    beta: float
    normalisation: str


class ExplainReply(Reply):
    """`explain_hit`."""

    query: str
    chunk_id: str
    found: bool
    rank: int | None = None
    score: float | None = None
    raw_score: float | None = None
    channels: list[ChannelScore] = []
    contributions: list[Contribution] = []
    analysis: QueryAnalysis
    matched_terms: list[str] = []


class TextMatch(Model):
    """One line that matches a literal or a pattern."""

    path: str
    line: int
    column: int
    text: str
    before: list[str] = []
    after: list[str] = []
    hit_kind: HitKind = HitKind.TEXT_LITERAL
    language: str
    symbol: str | None = None


class TextReply(Reply):
    """`search_text`."""

    pattern: str
    matches: list[TextMatch]
    total: int
    files: int
    searched: Searched


class FileHit(Model):
    """One file found by its path."""

    path: str
    language: str
    size: int
    lines: int
    score: float
    hit_kind: HitKind = HitKind.PATH
    project: str | None = None
    is_test: bool = False
    is_generated: bool = False
    pair: list[str] = []


class FindFileReply(Reply):
    """`find_file`."""

    pattern: str
    files: list[FileHit]
    total: int


class ConfigValue(Model):
    """One place that sets or reads a configuration key."""

    key: str  # as written on that file's key path, joined with ":"
    value: str  # masked when secret
    path: str
    line: int
    layer: str  # which layer of configuration the file is: "appsettings", "appsettings.Development", "msbuild", ...
    language: str
    confidence: Confidence = Confidence.INDEXED


class ConfigReply(Reply):
    """`config_lookup`."""

    key: str
    values: list[ConfigValue]
    used_in: list[TextMatch] = []
    searched: Searched


class SourceBlock(Model):
    """One span of the live file."""

    path: str
    start_line: int
    end_line: int
    total_lines: int
    text: str
    language: str
    symbol: str | None = None
    stale: bool = False  # the file changed since it was indexed; the text is the live one


class Failure(Model):
    """One item of a batch that could not be answered."""

    target: str
    reason: str


class SourceReply(Reply):
    """`source_context`."""

    blocks: list[SourceBlock]
    failed: list[Failure] = []


class SkipCount(Model):
    """How many paths one reason left out, with the folders that hold most of them."""

    reason: str
    count: int
    top_prefixes: list[str] = []


class PathExplanation(Model):
    """Why one path is or is not in the index."""

    path: str
    indexed: bool
    reason: str
    detail: str = ""
    language: str | None = None
    chunks: int = 0


class IndexStatusReply(Reply):
    """`index_status`."""

    files: int
    chunks: int
    symbols: int
    vectors: int
    languages: dict[str, int]
    skipped: list[SkipCount]
    database: str
    database_bytes: int
    wal_bytes: int
    source_bytes: int
    model: str | None
    watching: bool
    last_indexed: str | None  # ISO 8601, UTC
    warnings: list[str] = []
    explained: list[PathExplanation] = []
    lagging: list[str] = []


class ReindexReply(Reply):
    """`reindex`."""

    added: int
    changed: int
    removed: int
    unchanged: int
    skipped: int
    chunks: int
    seconds: float
    rebuilt: bool = False
    rebuild_reason: str | None = None


class SettingValue(Model):
    """One effective setting."""

    key: str
    value: str
    source: str  # "default", "user file", "workspace file", "environment", "command line"
    description: str


class CapabilitiesReply(Reply):
    """`server_capabilities`."""

    version: str
    tools: list[str]
    languages: list[str]
    channels: list[str]
    model: str | None
    limits: dict[str, int]
    settings: list[SettingValue]


class WatchReply(Reply):
    """`watch`."""

    watching: bool
    mode: str  # "native", "polling", "off"
