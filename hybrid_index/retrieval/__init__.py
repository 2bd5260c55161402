"""The text-ranked read side: understand the query, ask both channels, fuse, add named signals.

Useful for: "where is X handled?". Not useful for: exact symbol questions (`navigation`); nothing here claims that a hit
is a definition or a reference.
"""

from hybrid_index.retrieval.filters import FileFilter, matching_files, path_matches
from hybrid_index.retrieval.options import (
    BudgetOptions,
    FtsOptions,
    FusionOptions,
    RankingOptions,
    RetrievalOptions,
)
from hybrid_index.retrieval.search import Ranked, Ranking, Searcher
from hybrid_index.retrieval.signals import SIGNAL_NAMES, part_stems, stems_of
from hybrid_index.retrieval.snippets import best_window

__all__ = [
    "SIGNAL_NAMES",
    "BudgetOptions",
    "FileFilter",
    "FtsOptions",
    "FusionOptions",
    "Ranked",
    "Ranking",
    "RankingOptions",
    "RetrievalOptions",
    "Searcher",
    "best_window",
    "matching_files",
    "part_stems",
    "path_matches",
    "stems_of",
]
