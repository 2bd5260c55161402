"""From flat tool arguments to requests, and from failures to messages that a model can act on.

Tools take plain types with sentinel defaults ("", 0, -1, []) where requests have None: a schema without `anyOf` is
shorter, and every client understands it.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from hybrid_index.service import requests

R = TypeVar("R", bound=requests.Request)

# Other tools for code name the same things otherwise; models try those names first.
_OTHER_NAMES = {
    "q": ("query", "pattern"),
    "text": ("query", "pattern"),
    "search": ("query", "pattern"),
    "name": ("pattern", "key"),
    "limit": ("top_n",),
    "max_results": ("top_n",),
    "top_k": ("top_n",),
    "k": ("top_n",),
    "n": ("top_n",),
    "paths": ("explain_paths", "targets"),
    "path": ("paths", "explain_paths", "targets"),
    "glob": ("paths", "pattern"),
    "files": ("paths", "targets"),
    "language": ("languages",),
    "lang": ("languages",),
    "project": ("projects",),
    "extension": ("extensions",),
    "id": ("chunk_id", "targets"),
    "case_sensitive": ("ignore_case",),
}


def build(request: type[R], sentinels: Mapping[str, Any], given: Mapping[str, Any]) -> R:
    """Build a request from the arguments that differ from their sentinel.

    Raises:
        ToolError: a value is out of range; names the argument and what is accepted.
    """
    values = {name: value for name, value in given.items() if name not in sentinels or value != sentinels[name]}
    try:
        return request.model_validate(values)
    except ValidationError as error:
        raise ToolError(invalid(error)) from error


def invalid(error: ValidationError) -> str:
    """Say in one line per argument what was wrong with it."""
    problems = []
    for problem in error.errors(include_url=False):
        name = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "missing":
            problems.append(f"The argument {name} is required.")
            continue
        message = problem["msg"].replace("Input should be", "must be")
        given = repr(problem["input"])
        problems.append(f"{name} {message}, not {given if len(given) <= 80 else given[:77] + '...'}.")
    return " ".join(problems)


def unknown(tool: str, given: Collection[str], known: Collection[str]) -> str | None:
    """Say which argument a tool does not have and which it probably means; None when all are known."""
    strangers = [name for name in given if name not in known]
    if not strangers:
        return None
    name = strangers[0]
    meant = [other for other in _OTHER_NAMES.get(name, ()) if other in known]
    meant = meant or difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    hint = f"Did you mean {meant[0]}? " if meant else ""
    return f"{tool} has no argument {name!r}. {hint}It takes: {', '.join(known) or 'no arguments'}."
