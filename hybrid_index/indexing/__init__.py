"""The write side: plan (what differs), process (read, chunk, embed; in workers for large jobs), commit in batches.

Useful for: building and refreshing an index, following changes. Not useful for: answering questions (`retrieval`).
"""

from hybrid_index.indexing.indexer import Indexer, PassResult, Progress
from hybrid_index.indexing.options import ContentOptions, IndexingOptions
from hybrid_index.indexing.plan import Plan, make_plan

__all__ = ["ContentOptions", "Indexer", "IndexingOptions", "PassResult", "Plan", "Progress", "make_plan"]
