"""The one error that the judge raises on purpose."""

from __future__ import annotations


class EvalError(Exception):
    """A question file, an option or a peer cannot be used; the message says what was wrong and what to do."""
