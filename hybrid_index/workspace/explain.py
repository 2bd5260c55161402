"""Why one path is, or is not, offered for indexing."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from hybrid_index.errors import PathError
from hybrid_index.workspace.admission import never_entered
from hybrid_index.workspace.classify import language_of
from hybrid_index.workspace.git import GitProblem, ignoring_rule
from hybrid_index.workspace.names import shown_name
from hybrid_index.workspace.skips import Skip, SkipReason, left_out_by_name
from hybrid_index.workspace.workspace import ScanResult, Workspace


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a path is offered for indexing, and why or why not.

    `reason` is "indexed", "folder", "missing", "refused" (a path that no request may use), or a `SkipReason`.
    """

    path: str
    indexed: bool
    reason: str
    detail: str = ""
    language: str | None = None


def explain_path(workspace: Workspace, user_path: str, scan: ScanResult | None = None) -> Explanation:
    """Explain one path by the rules that a scan and a read apply; `scan` saves a scan where one was made just now."""
    path = _normal(workspace, user_path)
    if isinstance(path, Explanation):
        return path
    scan = scan or workspace.scan()
    record = next((file for file in scan.files if file.path == path), None)
    if record is not None:
        result = workspace.read(record)
        if result.skip is not None:
            return Explanation(path, False, result.skip.reason, result.skip.detail)
        assert result.source is not None
        detail = f"{result.source.encoding}, {result.masked_lines} masked lines" if result.masked_lines else ""
        return Explanation(path, True, "indexed", detail, result.source.language)
    if any(file.path.startswith(path + "/") for file in scan.files) or path in ("", "."):
        inside = sum(1 for file in scan.files if path in ("", ".") or file.path.startswith(path + "/"))
        return Explanation(path, False, "folder", f"{inside} files below it are offered")
    skip = next((skip for skip in scan.skips if _covers(skip, path)), None)
    skip = skip or _below_a_folder_never_entered(workspace, path) or _ignored_by_git(workspace, path)
    if skip is not None:
        return Explanation(
            path, False, skip.reason, skip.detail if skip.path == path else f"{skip.path}: {skip.detail}"
        )
    return _unlisted(workspace, path)


def _normal(workspace: Workspace, user_path: str) -> str | Explanation:
    """The workspace name of a path; links in it are kept, since a link has a reason of its own."""
    text = user_path.replace("\\", "/") if os.name == "nt" else user_path
    if os.path.isabs(text):
        for root in workspace.roots:
            folder = os.fspath(root.folder).replace("\\", "/") + "/"
            if text.startswith(folder):
                text = root.prefix + text[len(folder) :]
                break
    text = text.removeprefix("./").rstrip("/")
    if os.path.lexists(workspace.full_path(text)) and ".." not in text.split("/") and not os.path.isabs(text):
        return text
    try:
        return workspace.name_of(workspace.resolve(user_path))
    except PathError as error:
        missing = "There is no" in str(error)
        return Explanation(shown_name(user_path), False, "missing" if missing else "refused", str(error))


def _covers(skip: Skip, path: str) -> bool:
    return skip.path in (path, path + "/") or (skip.path.endswith("/") and path.startswith(skip.path))


def _below_a_folder_never_entered(workspace: Workspace, path: str) -> Skip | None:
    """Git does not list what is below such a folder, so the scan has no skip for it."""
    folders = path.split("/")
    never = never_entered(workspace.options)
    for index, name in enumerate(folders, start=1):
        if name in never and os.path.isdir(workspace.full_path("/".join(folders[:index]))):
            return Skip("/".join(folders[:index]) + "/", SkipReason.EXCLUDED_BY_SETTING, left_out_by_name(name))
    return None


def _ignored_by_git(workspace: Workspace, path: str) -> Skip | None:
    if not workspace.options.use_git:
        return None
    full = workspace.full_path(path)
    try:
        rule = ignoring_rule(os.path.dirname(full), os.path.basename(full))
    except (GitProblem, OSError):
        return None
    return Skip(path, SkipReason.IGNORED_BY_RULE, rule) if rule else None


def _unlisted(workspace: Workspace, path: str) -> Explanation:
    try:
        status = os.lstat(workspace.full_path(path))
    except OSError:
        return Explanation(path, False, "missing", "there is no such file")
    if stat.S_ISDIR(status.st_mode):
        return Explanation(path, False, "folder", "no file below it is offered")
    return Explanation(path, False, SkipReason.UNREADABLE, "it is not listed", language_of(path))
