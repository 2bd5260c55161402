"""The named signals that follow fusion. Each adds to a score under its name; `explain_hit` shows the same numbers.

A signal sees one candidate and the whole field and returns what it adds. Weights are few and set by hand after an
ablation (NDCG lost when removed: symbol names .022, stem and path .013, coherence .010, demotions .007): weights fitted
on the repositories they are tested on looked .014-.02 better than they were.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hybrid_index.retrieval.fusion import Fused
from hybrid_index.retrieval.options import RankingOptions
from hybrid_index.retrieval.query import Query
from hybrid_index.store import ChunkRecord, expand_word, words

# Chosen between the 135 .NET questions (long paraphrases, which file names and coherence mislead) and ten repositories
# of the semble suite (short ones, which they help): .30 and .05 lost .015 on the former and won .02 on the latter.
DEFINITION = 0.45
NAMES = 0.25
STEM = 0.30
DIRECTORIES = 0.03
COHERENCE = 0.05
SAME_FILE_KEEPS = 0.75  # a hard limit of one chunk a file lost .11 evidence recall at 8,000 tokens
TEST_SHARE = 0.30
GENERATED_SHARE = 0.30
SIDE_SHARE = 0.25
MODE = 0.15

_TYPE_KINDS = frozenset({"class", "struct", "interface", "record", "record_struct", "enum", "delegate"})
_DOCS = frozenset({"markdown", "text", "html"})
_DATA = frozenset({"json", "yaml", "toml", "xml", "msbuild", "ini", "editorconfig"})
_SIDE_WORDS = frozenset({"example", "examples", "sample", "samples", "demo", "demos", "benchmark", "benchmarks"})
_SIDE_WORDS |= {"changelog", "migrations", "vendor", "legacy", "compat", "deprecated"}
_TEST_WORDS = frozenset({"test", "tests", "tested", "testing", "spec", "specs", "unittest"})


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one signal added, and why."""

    name: str
    value: float
    why: str


@dataclass(slots=True)
class Field:
    """What the signals know of all candidates."""

    query: Query
    tokens: frozenset[str]
    file_support: Mapping[str, float] = field(default_factory=dict)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A light stem for comparing names: plural and -ing/-ed endings go. FTS5 has its own Porter stem for the text."""
    for ending, keep in (("ies", 1), ("sses", 2), ("ing", 0), ("ed", 0), ("es", 0), ("s", 0)):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            base = word[: len(word) - len(ending) + keep]
            return base + "y" if ending == "ies" and keep == 0 else base.rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


@lru_cache(maxsize=50_000)
def stems_of(text: str) -> frozenset[str]:
    """The stems of a text's words and their parts."""
    return frozenset(stem(token.lower()) for word in words(text) for token in expand_word(word).split())


@lru_cache(maxsize=50_000)
def part_stems(text: str) -> frozenset[str]:
    """The stems of a text's words, identifiers in parts only."""
    out: set[str] = set()
    for word in words(text):
        parts = expand_word(word).split()
        out.update(stem(part.lower()) for part in (parts[1:] or parts))
    return frozenset(out)


def _definition(record: ChunkRecord, fused: Fused, context: Field) -> tuple[float, str]:
    query = context.query
    wanted = {s.lower().strip("_") for s in query.symbols} or (
        {t.lower() for t in query.terms} if query.kind in ("symbol", "path") else set()
    )
    declared = {name.lower().strip("_") for name in record.names.split()}
    hit = wanted & declared
    if not hit:
        return 0.0, ""
    kind = 1.0 if record.kind in _TYPE_KINDS else 0.8
    share = 1.0 if query.kind == "symbol" else 0.6
    return DEFINITION * kind * share, f"declares {', '.join(sorted(hit))}"


def _names(record: ChunkRecord, fused: Fused, context: Field) -> tuple[float, str]:
    shared = context.tokens & stems_of(record.names + " " + (record.symbol or ""))
    if not shared or not context.tokens:
        return 0.0, ""
    return NAMES * len(shared) / max(len(context.tokens), 3), f"names have {', '.join(sorted(shared))}"


def _stem(record: ChunkRecord, fused: Fused, context: Field) -> tuple[float, str]:
    parts = part_stems(posixpath.basename(record.path).split(".")[0])
    shared = parts & context.tokens
    if not shared:
        return 0.0, ""
    # In a long question a word of a file name is often there by chance; in a short one it is meant.
    asked = min(1.0, 3 * len(shared) / max(len(context.tokens), 3))
    return STEM * len(shared) / len(parts) * (0.3 + 0.7 * asked), f"the file name has {', '.join(sorted(shared))}"


def _directories(record: ChunkRecord, fused: Fused, context: Field) -> tuple[float, str]:
    shared = part_stems(posixpath.dirname(record.path)) & context.tokens
    return (DIRECTORIES * min(len(shared), 3) / 3, f"folders have {', '.join(sorted(shared))}") if shared else (0.0, "")


def _coherence(record: ChunkRecord, fused: Fused, context: Field) -> tuple[float, str]:
    others = context.file_support.get(record.path, 0.0) - fused.score
    if others <= 0.05:
        return 0.0, ""
    return COHERENCE * min(others, 2.0) / 2.0, "other chunks of the file match too"


Signal = Callable[[ChunkRecord, Fused, Field], tuple[float, str]]
ADDING: tuple[tuple[str, Signal], ...] = (
    ("definition", _definition),
    ("names", _names),
    ("stem", _stem),
    ("directories", _directories),
    ("coherence", _coherence),
)
SIGNAL_NAMES = (*(name for name, _ in ADDING), "mode", "test", "generated", "side", "same_file")


def make_field(query: Query, candidates: Sequence[tuple[ChunkRecord, Fused]]) -> Field:
    """Collect what the signals need to know of the whole field."""
    support: dict[str, float] = {}
    for record, fused in candidates:
        support[record.path] = support.get(record.path, 0.0) + fused.score
    return Field(query, part_stems(" ".join(query.terms)), support)


def contributions(record: ChunkRecord, fused: Fused, context: Field, options: RankingOptions) -> list[Contribution]:
    """Give every part of a candidate's score, fusion first; they add up to the score."""
    out = [Contribution("fusion", fused.score, "alpha * fts + beta * vec")]
    if not options.signals:
        return out
    off = options.disabled_signals
    for name, signal in ADDING:
        if name not in off:
            value, why = signal(record, fused, context)
            if value:
                out.append(Contribution(name, value, why))
    if "mode" not in off and options.mode != "balanced":
        docs = record.language in _DOCS
        wanted = docs if options.mode == "docs_first" else not docs and record.language not in _DATA
        if wanted:
            out.append(Contribution("mode", MODE, f"ranking mode {options.mode}"))
    subtotal = sum(part.value for part in out)
    for name, share, why in _demotions(record, context):
        if name not in off:
            out.append(Contribution(name, -share * subtotal, why))
            subtotal -= share * subtotal
    return out


def _demotions(record: ChunkRecord, context: Field) -> list[tuple[str, float, str]]:
    asked = {term.lower() for term in context.query.terms}
    out: list[tuple[str, float, str]] = []
    if record.is_test and not asked & _TEST_WORDS:
        out.append(("test", TEST_SHARE, "a test, and the query does not ask for tests"))
    if record.is_generated and "generated" not in asked:
        out.append(("generated", GENERATED_SHARE, "generated by a tool"))
    side = {part.lower() for part in record.path.replace(".", "/").split("/")} & _SIDE_WORDS
    if side and not asked & side:
        out.append(("side", SIDE_SHARE, f"in {', '.join(sorted(side))}"))
    return out
