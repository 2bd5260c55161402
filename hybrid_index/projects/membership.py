"""Which projects a file belongs to.

Source files follow the compile lists, so a linked or shared file belongs to several projects and a file that no project
compiles to none. Any other file belongs to the nearest folder that holds a project, and to each project that takes it
in from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hybrid_index.projects.globs import Matcher, compile_glob, fixed_directory
from hybrid_index.projects.values import CompileItem, CompileSet, Project

_SOURCE_EXTENSIONS = (".cs", ".vb", ".fs")
# A traversal project builds others; the files around it are not its own.
_FOLDERLESS_EXTENSIONS = (".proj", ".dcproj")
_FOLDERLESS_SDKS = ("microsoft.build.traversal",)


@dataclass(frozen=True, slots=True)
class _Step:
    item: CompileItem
    includes: bool
    matches: Matcher
    excludes: tuple[Matcher, ...]


@dataclass(frozen=True, slots=True)
class _CompileList:
    target_frameworks: tuple[str, ...]
    steps: tuple[_Step, ...]  # last first: the last step that speaks about a file decides

    def holds(self, lowered: str) -> bool:
        step = self.deciding(lowered)
        return step is not None and step.includes

    def deciding(self, lowered: str) -> _Step | None:
        """The step that puts the file in or takes it out."""
        for step in self.steps:
            if step.matches(lowered) and not (step.includes and any(excluded(lowered) for excluded in step.excludes)):
                return step
        return None


class Membership:
    """Answers for one set of projects; building it is linear in their patterns."""

    def __init__(self, projects: Sequence[Project]) -> None:
        self._projects = projects
        self._lists = [tuple(_compile_list(each) for each in project.compile) for project in projects]
        self._linked = [tuple(compile_glob(each) for each in project.linked_patterns) for project in projects]
        self._compiled_below: dict[str, list[int]] = {}
        self._linked_below: dict[str, list[int]] = {}
        self._in_folder: dict[str, list[int]] = {}
        for index, project in enumerate(projects):
            bases = {fixed_directory(item.pattern) for each in project.compile for item in each.items}
            for base in bases:
                self._compiled_below.setdefault(base, []).append(index)
            for base in {fixed_directory(pattern) for pattern in project.linked_patterns}:
                self._linked_below.setdefault(base, []).append(index)
            if _owns_folder(project):
                self._in_folder.setdefault(project.directory.lower(), []).append(index)

    def owners(self, path: str) -> tuple[str, ...]:
        """Names of the projects a file belongs to, the nearest folder's first."""
        return self._owners(path, _Candidates(self, path.rpartition("/")[0].lower()))

    def assignments(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """`owners` of many files; what depends on the folder alone is worked out once per folder."""
        by_directory: dict[str, _Candidates] = {}
        found: dict[str, tuple[str, ...]] = {}
        for path in paths:
            directory = path.rpartition("/")[0].lower()
            candidates = by_directory.get(directory)
            if candidates is None:
                candidates = by_directory[directory] = _Candidates(self, directory)
            found[path] = self._owners(path, candidates)
        return found

    def target_frameworks(self, path: str, name: str) -> tuple[str, ...]:
        """Target frameworks for which a project compiles a file."""
        lowered = path.lower()
        for project, lists in zip(self._projects, self._lists, strict=True):
            if project.name == name:
                held = {each for part in lists if part.holds(lowered) for each in part.target_frameworks}
                return tuple(each for each in project.target_frameworks if each in held)
        return ()

    def deciding_items(self, path: str, name: str) -> tuple[CompileItem, ...]:
        """For each compile list of a project, the step that puts a file in or takes it out; none where none does."""
        lowered = path.lower()
        for project, lists in zip(self._projects, self._lists, strict=True):
            if project.name == name:
                steps = (part.deciding(lowered) for part in lists)
                return tuple(step.item for step in steps if step is not None)
        return ()

    def _owners(self, path: str, candidates: _Candidates) -> tuple[str, ...]:
        lowered = path.lower()
        if lowered.endswith(_SOURCE_EXTENSIONS):
            owners = [
                index for index in candidates.compiling if any(part.holds(lowered) for part in self._lists[index])
            ]
        else:
            owners = list(candidates.nearest)
            for index in candidates.linking:
                if index not in owners and any(matches(lowered) for matches in self._linked[index]):
                    owners.append(index)
        if len(owners) > 1:
            owners.sort(key=lambda index: self._rank(index, lowered))
        return tuple(self._projects[index].name for index in owners)

    def _rank(self, index: int, lowered: str) -> tuple[bool, bool, int, str]:
        """Order of owners: those whose folder holds the file, deepest first; the others by name; shared ones last."""
        project = self._projects[index]
        directory = project.directory.lower()
        holds = not directory or lowered.startswith(directory + "/")
        return project.kind == "shared", not holds, -len(directory) if holds else 0, project.name

    def nearest(self, directory: str) -> tuple[int, ...]:
        """Projects of the nearest folder that holds any, upwards from a lower-case folder."""
        while True:
            found = self._in_folder.get(directory)
            if found:
                return tuple(found)
            if not directory:
                return ()
            directory = directory.rpartition("/")[0]

    def below(self, directory: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Projects with patterns that start at or above a lower-case folder: (compiling, linking)."""
        compiling: dict[int, None] = {}
        linking: dict[int, None] = {}
        while True:
            compiling.update(dict.fromkeys(self._compiled_below.get(directory, ())))
            linking.update(dict.fromkeys(self._linked_below.get(directory, ())))
            if not directory:
                return tuple(compiling), tuple(linking)
            directory = directory.rpartition("/")[0]


class _Candidates:
    """Projects that may own files of one folder."""

    __slots__ = ("compiling", "linking", "nearest")

    def __init__(self, membership: Membership, directory: str) -> None:
        self.compiling, self.linking = membership.below(directory)
        self.nearest = membership.nearest(directory)


def _compile_list(compile_set: CompileSet) -> _CompileList:
    return _CompileList(compile_set.target_frameworks, tuple(_step(item) for item in reversed(compile_set.items)))


def _step(item: CompileItem) -> _Step:
    excludes = tuple(compile_glob(pattern) for pattern in item.excludes)
    return _Step(item, item.action == "include", compile_glob(item.pattern), excludes)


def _owns_folder(project: Project) -> bool:
    return not project.path.lower().endswith(_FOLDERLESS_EXTENSIONS) and project.sdk.lower() not in _FOLDERLESS_SDKS
