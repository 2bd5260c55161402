"""The only package that speaks SQL: the index of one workspace on disk.

`Store` hands out one writer (a lock file and `BEGIN IMMEDIATE`) and any number of read snapshots. `tokens` says how
text becomes words on both sides. Useful for: keeping rows of a file together, asking the two channels. Not useful for:
deciding what is indexed (`indexing`) or how hits are ranked (`retrieval`).
"""

from hybrid_index.store.reader import MAX_KNN, Snapshot, VectorTable, encode_vector
from hybrid_index.store.rows import ChunkRecord, ChunkRows, Counts, FileRows, FileSummary, KnownFile, SkipRow
from hybrid_index.store.store import Store
from hybrid_index.store.tokens import expand_text, expand_word, split_identifier, words
from hybrid_index.store.versions import FEATURE_VERSION, FORMAT_VERSION
from hybrid_index.store.writer import StoreWriter

__all__ = [
    "FEATURE_VERSION",
    "FORMAT_VERSION",
    "MAX_KNN",
    "ChunkRecord",
    "ChunkRows",
    "Counts",
    "FileRows",
    "FileSummary",
    "KnownFile",
    "SkipRow",
    "Snapshot",
    "Store",
    "StoreWriter",
    "VectorTable",
    "encode_vector",
    "expand_text",
    "expand_word",
    "split_identifier",
    "words",
]
