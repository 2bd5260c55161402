"""What the text-ranked side may be told. `settings.py` builds these; nothing below it reads configuration."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FtsOptions:
    """The keyword channel."""

    enabled: bool = True
    k: int = 200  # candidates taken from the channel
    index_csharp: bool = True  # False leaves C# out of the keyword channel only
    # BM25 column weights (stem, directories, names, context, docs, hints, body); see docs/explanation/ranking.md
    weights: tuple[float, ...] = (2.0, 1.0, 2.0, 1.0, 1.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class FusionOptions:
    """How the channels become one score: `alpha * fts + beta * vec` over normalised channel scores."""

    alpha: float = 0.65
    beta: float = 0.35
    vec_k: int = 200
    normalisation: str = "minmax"  # "minmax" | "rank" | "rrf"
    rrf_k: int = 10  # FINDINGS: min-max, z-score and RRF with k = 10 fuse equally well
    adapt_to_query: bool = True  # short and symbol-like queries lean on keywords; off = alpha and beta hold exactly
    short_query_tokens: int = 2
    short_query_alpha: float = 0.85
    vector_floor: float = 0.0  # cosine below which a vector hit is not mixed in


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """The signals that follow fusion."""

    signals: bool = True
    mode: str = "balanced"  # "balanced" | "docs_first" | "code_first"
    max_per_file: int = 0  # 0 = no hard limit; further chunks of a file count for less (signal same_file)
    disabled_signals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BudgetOptions:
    """How large a reply may be."""

    top_n: int = 10
    max_tokens: int = 2_000  # of the rendered reply, at 4 characters a token: about 8 KB
    hard_max_tokens: int = 8_000  # about 32 KB
    snippet_lines: int = 12
    deadline_ms: int = 5_000


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """Everything the read side needs."""

    fts: FtsOptions = FtsOptions()
    fusion: FusionOptions = FusionOptions()
    ranking: RankingOptions = RankingOptions()
    budget: BudgetOptions = BudgetOptions()
