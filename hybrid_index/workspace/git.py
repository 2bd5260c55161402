"""What git knows about a folder: its files, its ignored folders, and where its head is.

Git is asked as a separate program that can neither prompt nor wait for input, takes no locks and runs no monitor that a
repository's configuration names. Without git, or where git refuses (a repository owned by someone else), callers get a
`GitProblem` and fall back to walking.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

GIT_TIMEOUT_S = 60.0  # listing a repository of a million files takes about ten seconds

# These would point git at another repository or index than the folder's own, e.g. when run from a hook.
_REDIRECTING = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)
_UNOPENED = re.compile(r"^warning: could not open directory '(.*)': (.*)$", re.MULTILINE)

_RULE = re.compile(r"^(?P<source>.*?):(?P<line>\d+):(?P<pattern>.*)$", re.DOTALL)


class GitProblem(Exception):
    """Git can't answer here; the message says why."""


class NotARepository(GitProblem):
    """The folder is in no repository, which is nothing to report."""


class GitListing:
    """The files of one repository below a folder, relative to it. Names that are not UTF-8 hold surrogates.

    Looking for untracked files takes git about four times as long as listing tracked ones, so it runs in the background
    while the caller works on `tracked`.
    """

    def __init__(self, folder: str, never: Iterable[str]) -> None:
        """List tracked files and start to look for others; folders named in `never` are not entered for those.

        Raises:
            GitProblem: git can't list the folder (`NotARepository` where it is in none).
        """
        others = ["ls-files", "-z", "--others", "--exclude-standard", *_exclusions(never)]
        self._others = start_git(folder, others)
        try:
            tracked, _ = run_git(folder, ["ls-files", "-z", "--cached"])
        except GitProblem:
            self.close()
            raise
        self.tracked = list(dict.fromkeys(_names(tracked)))  # an unmerged file is listed once a side

    def untracked(self) -> tuple[list[str], list[tuple[str, str]]]:
        """Untracked files that no rule ignores, and (folder, why) where git could not look.

        A path that ends in "/" is a repository inside this one. Raises GitProblem.
        """
        out, messages, _ = finish_git(self._others)
        return list(_names(out)), [(found[1], found[2]) for found in _UNOPENED.finditer(messages)]

    def close(self) -> None:
        """Stop looking for untracked files, if that still goes on."""
        if self._others.returncode is None:
            self._others.kill()
            self._others.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def start_git(folder: str, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start git in a folder.

    Raises:
        GitProblem: there is no git program, or the folder is gone.
    """
    environment = {key: value for key, value in os.environ.items() if key not in _REDIRECTING}
    environment |= {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "LC_ALL": "C",
    }
    try:
        return subprocess.Popen(
            ["git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise GitProblem(f"git could not be started: {error}") from error


def finish_git(
    process: subprocess.Popen[bytes], *, accept: tuple[int, ...] = (0,), timeout_s: float = GIT_TIMEOUT_S
) -> tuple[str, str, int]:
    """Wait for git; returns (output, messages, status), the output with surrogates for what is not UTF-8.

    Raises:
        NotARepository: the folder is in no repository.
        GitProblem: any other status than those accepted, or no end within `timeout_s` seconds.
    """
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired as error:
        process.kill()
        process.communicate()
        raise GitProblem(f"git did not answer within {timeout_s:.0f} seconds.") from error
    messages = err.decode("utf-8", "replace").strip()
    if process.returncode not in accept:
        if "not a git repository" in messages:
            raise NotARepository(messages)
        raise GitProblem(_reason(messages) or f"git ended with status {process.returncode}.")
    return out.decode("utf-8", "surrogateescape"), messages, process.returncode


def run_git(folder: str, arguments: Sequence[str], *, accept: tuple[int, ...] = (0,)) -> tuple[str, int]:
    """Run git in a folder; returns its output and status. Raises as `finish_git`."""
    out, _, status = finish_git(start_git(folder, arguments), accept=accept)
    return out, status


def list_ignored(folder: str, never: Iterable[str]) -> list[str]:
    """Untracked paths that are ignored; a folder that is ignored as a whole is one entry that ends in "/"."""
    arguments = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", *_exclusions(never)]
    return list(_names(run_git(folder, arguments)[0]))


def ignoring_rule(folder: str, path: str) -> str | None:
    """The rule that makes git ignore a path, as `file:line: pattern`; None when it is not ignored."""
    out, status = run_git(folder, ["check-ignore", "-v", "--", path], accept=(0, 1))
    rule = _RULE.match(out.rpartition("\t")[0])  # a tab in the path itself is printed as an escape
    if status != 0 or rule is None or rule["pattern"].startswith("!"):
        return None
    return f"{rule['source']}:{rule['line']}: {rule['pattern']}"


def _exclusions(never: Iterable[str]) -> list[str]:
    # Without these, a `node_modules` that nobody ignores would be listed file by file.
    return ["--exclude=" + re.sub(r"([*?\[\\!#])", r"\\\1", name) + "/" for name in never]


def _names(output: str) -> Iterator[str]:
    return (name for name in output.split("\0") if name)


def _reason(messages: str) -> str:
    if "dubious ownership" in messages:
        return "git refuses this repository because another user owns it (see `safe.directory` in git's manual)."
    return messages.split("\n", 1)[0]
