"""The line that tells a model where a chunk stands."""

from __future__ import annotations

import posixpath


def path_header(path: str, components: int) -> str:
    """Give the last `components` parts of a `/` path, the file's without its extension, separated by spaces.

    A dotfile keeps its name; of several extensions only the last goes, so that `Page.razor.cs` is known from `Page.cs`.
    """
    if components <= 0:
        return ""
    *folders, name = path.split("/")
    stem, _ = posixpath.splitext(name)
    return " ".join([*folders, stem][-components:])


def with_path(path: str, text: str, components: int, repeats: int) -> str:
    """Put the path's line before a chunk, `repeats` times: a sum of token vectors weighs by count."""
    header = path_header(path, components)
    return f"{header}\n" * repeats + text if header else text
