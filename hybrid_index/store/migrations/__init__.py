"""Steps from one format to the next.

Append only: a step is `(from_version, reason, function)`; it and the new version number are committed together. A
format with no path to the present one is rebuilt, and the rebuild says so.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

Step = tuple[int, str, Callable[[apsw.Connection], None]]

STEPS: tuple[Step, ...] = ()


def path_from(version: int, target: int) -> list[Step] | None:
    """The steps that lead from `version` to `target`; None when there is no such path."""
    steps: list[Step] = []
    while version < target:
        step = next((s for s in STEPS if s[0] == version), None)
        if step is None:
            return None
        steps.append(step)
        version += 1
    return steps if version == target else None
