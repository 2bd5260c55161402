"""Every error that a caller can meet.

HybridIndexError
├── UsageError               the request was wrong: the message says what and what to do
│   ├── SettingsError        a setting: names the key, the file and the accepted values
│   ├── PathError            a path that is missing, outside the roots, or refused as a root
│   ├── QueryError           a pattern, filter or cursor that cannot be used
│   └── StaleReferenceError  an id that no longer exists: names its replacement where there is one
├── StorageError             the index on disk
│   ├── IndexLockedError     another process is writing
│   ├── IndexCorruptError    damaged beyond reading; says how it will be rebuilt
│   └── IndexFormatError     written by another version
├── ModelError               an embedding model is missing or does not fit the index
└── Cancelled                the caller asked to stop

Messages are whole sentences for a person: what was wrong, then what to do.
"""

from __future__ import annotations


class HybridIndexError(Exception):
    """Base of every error raised on purpose by this package."""


class UsageError(HybridIndexError):
    """The request was wrong."""


class SettingsError(UsageError):
    """A setting has an unknown name or an unacceptable value."""


class PathError(UsageError):
    """A path is missing, outside the roots, or refused as a root."""


class QueryError(UsageError):
    """A pattern, filter or cursor cannot be used."""


class StaleReferenceError(UsageError):
    """An id no longer exists in the index."""


class StorageError(HybridIndexError):
    """The index on disk cannot be used as it is."""


class IndexLockedError(StorageError):
    """Another process is writing to the index."""


class IndexCorruptError(StorageError):
    """The index is damaged."""


class IndexFormatError(StorageError):
    """The index was written by an incompatible version."""


class ModelError(HybridIndexError):
    """An embedding model is missing, unreadable, or does not fit the index."""


class Cancelled(HybridIndexError):
    """The caller asked to stop."""
