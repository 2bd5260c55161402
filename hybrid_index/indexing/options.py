"""What the write side may be told."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from hybrid_index.embeddings.options import EmbeddingOptions
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.store import FEATURE_VERSION
from hybrid_index.workspace.options import ScopeOptions


@dataclass(frozen=True, slots=True)
class IndexingOptions:
    """How an index is built and kept fresh."""

    workers: int = 0  # 0 = one per core, at most 8; small jobs stay in this process
    batch_files: int = 256  # files committed together: what a killed run can lose
    watch: bool = True  # a server watches the workspace
    debounce_ms: int = 50
    inline_max_files: int = 50  # changed files that are indexed before answering


@dataclass(frozen=True, slots=True)
class ContentOptions:
    """Everything that decides which rows a file becomes."""

    scope: ScopeOptions = field(default_factory=ScopeOptions)
    chunking: ChunkingOptions = field(default_factory=ChunkingOptions)
    embedding: EmbeddingOptions = field(default_factory=EmbeddingOptions)
    keyword_csharp: bool = True  # False leaves C# out of the keyword channel only
    vector_extensions: tuple[str, ...] = ()  # when not empty, only these file kinds are embedded

    def features(self, language: str) -> str:
        """Name what a file's rows are made with; rows made with anything else are made again."""
        made_with = (self.chunking, self.scope.mask_secrets, self.in_keywords(language))
        return f"{FEATURE_VERSION}-{hashlib.blake2b(repr(made_with).encode(), digest_size=6).hexdigest()}"

    def in_keywords(self, language: str) -> bool:
        """Whether files of a language take part in the keyword channel."""
        return self.keyword_csharp or language != "csharp"

    def in_vectors(self, extension: str) -> bool:
        """Whether files with an extension take part in the vector channel."""
        return not self.vector_extensions or extension in self.vector_extensions
