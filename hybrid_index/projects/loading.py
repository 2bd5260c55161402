"""From the paths of a scan to a `ProjectModel`. Trouble with one file becomes a status row and never stops the rest."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hybrid_index.projects.documents import UnreadableDocument
from hybrid_index.projects.files import DiskReader, FileReader, WorkspaceFiles
from hybrid_index.projects.items import LiteralItems
from hybrid_index.projects.model import ProjectModel
from hybrid_index.projects.options import ProjectOptions
from hybrid_index.projects.reading import ProjectReading, read_project
from hybrid_index.projects.sdks import project_kind
from hybrid_index.projects.solutions import SOLUTION_EXTENSIONS, SolutionFile, read_solution
from hybrid_index.projects.values import Project, ProjectStatus, Solution, SolutionFolder

# A solution over a partial checkout can miss hundreds of projects; `Solution.missing` has them all.
_NAMED_IN_MESSAGE = 5


def load_projects(root: Path, paths: Sequence[str], options: ProjectOptions | None = None) -> ProjectModel:
    """Read every project and solution among the files of a scan.

    Args:
        root: the workspace folder; nothing outside it is read.
        paths: workspace-relative paths of all scanned files, with `/`.
        options: the build that conditions are evaluated for.
    """
    return read_model(DiskReader(root), paths, root.resolve().name, options)


def read_model(
    reader: FileReader, paths: Sequence[str], root_name: str = "", options: ProjectOptions | None = None
) -> ProjectModel:
    """`load_projects` over any source of files; `root_name` is the name of the workspace folder."""
    files = WorkspaceFiles(reader, paths, root_name)
    statuses: list[ProjectStatus] = []
    options = options or ProjectOptions()
    solution_files = _read_solutions(files, sorted(paths), statuses)
    readings = _read_projects(files, sorted(paths), solution_files, options, statuses)
    names = project_names([reading.project.path for reading in readings])
    projects = tuple(_linked_up(files, reading.project, names, statuses) for reading in readings)
    solutions = tuple(_solution(path, content, files, names, statuses) for path, content in solution_files.items())
    inputs = {each for reading in readings for each in reading.inputs} | set(solution_files)
    return ProjectModel(
        projects=tuple(sorted(projects, key=lambda project: project.name)),
        solutions=solutions,
        statuses=tuple(sorted(set(statuses), key=lambda row: (row.path, row.line or 0, row.message))),
        inputs=tuple(sorted(inputs)),
    )


def project_names(paths: Sequence[str]) -> dict[str, str]:
    """Unique name of each project path: the file's stem, with as many folders in front as tell namesakes apart."""
    by_stem: dict[str, list[str]] = {}
    for path in paths:
        by_stem.setdefault(_stem(path).lower(), []).append(path)
    names: dict[str, str] = {}
    for group in by_stem.values():
        if len(group) == 1:
            names[group[0]] = _stem(group[0])
            continue
        deepest = max(path.count("/") for path in group)
        for count in range(1, deepest + 1):
            labels = [_label(path, count) for path in group]
            if len({label.lower() for label in labels}) == len(group):
                break
        else:
            labels = group  # two kinds of project in one folder: only the whole path tells them apart
        names.update(zip(group, labels, strict=True))
    return names


def _stem(path: str) -> str:
    return posixpath.basename(path).rpartition(".")[0]


def _label(path: str, folders: int) -> str:
    """The stem after the last `folders` folders; a folder of the same name as the project is not repeated."""
    stem = _stem(path)
    parents = path.split("/")[:-1]
    if parents and parents[-1].lower() == stem.lower():
        parents = parents[:-1]
    return "/".join([*parents[-folders:], stem])


def _read_solutions(files: WorkspaceFiles, paths: list[str], statuses: list[ProjectStatus]) -> dict[str, SolutionFile]:
    found: dict[str, SolutionFile] = {}
    for path in paths:
        if path.lower().endswith(SOLUTION_EXTENSIONS):
            try:
                found[path] = read_solution(files, path)
            except UnreadableDocument as error:
                statuses.append(ProjectStatus(path, "error", f"The solution was not read: {error}."))
    return found


def _read_projects(
    files: WorkspaceFiles,
    paths: list[str],
    solutions: dict[str, SolutionFile],
    options: ProjectOptions,
    statuses: list[ProjectStatus],
) -> list[ProjectReading]:
    holders: dict[str, list[str]] = {}
    for solution_path, content in solutions.items():
        if content.filter_of is None:
            for project_path, _ in content.projects:
                holders.setdefault(files.spelled(project_path), []).append(solution_path)
    readings: list[ProjectReading] = []
    literals: LiteralItems = {}
    for path in paths:
        if project_kind(path) is None:
            continue
        try:
            properties = _solution_properties(files, holders.get(path, []))
            reading = read_project(files, path, options, properties, literals)
        except UnreadableDocument as error:
            statuses.append(ProjectStatus(path, "error", f"The project was not read: {error}."))
            continue
        readings.append(reading)
        statuses += reading.statuses
    return readings


def _solution_properties(files: WorkspaceFiles, holders: list[str]) -> dict[str, str]:
    """`$(SolutionDir)` and its kin, as far as the solutions that hold a project agree."""
    if not holders:
        return {}
    directories = {posixpath.dirname(path) for path in holders}
    if len(directories) > 1:
        return {"SolutionDir": ""}
    properties = {"SolutionDir": files.absolute(directories.pop()) + "/"}
    if len(holders) == 1:
        name = posixpath.basename(holders[0])
        properties |= {
            "SolutionPath": files.absolute(holders[0]),
            "SolutionFileName": name,
            "SolutionName": name.rpartition(".")[0],
            "SolutionExt": "." + name.rpartition(".")[2],
        }
    return properties


def _linked_up(
    files: WorkspaceFiles, project: Project, names: dict[str, str], statuses: list[ProjectStatus]
) -> Project:
    """Give a project its name and its references theirs; references that lead nowhere become status rows."""
    references = []
    for reference in project.project_references:
        name = names.get(reference.path)
        if name is None:
            message = f"The project refers to '{reference.path}', which {_why_missing(files, reference.path)}."
            statuses.append(ProjectStatus(project.path, "warning", message))
        references.append(replace(reference, name=name))
    return replace(project, name=names[project.path], project_references=tuple(references))


def _why_missing(files: WorkspaceFiles, path: str) -> str:
    if path.startswith(("/", "../")) or path[1:2] == ":":
        return "lies outside the workspace"
    if project_kind(path) is None:
        return "is not a project file"
    return "could not be read" if files.is_scanned(path) else "is not in the workspace"


def _solution(
    path: str,
    content: SolutionFile,
    files: WorkspaceFiles,
    names: dict[str, str],
    statuses: list[ProjectStatus],
) -> Solution:
    members: list[str] = []
    missing: list[str] = list(content.outside)
    by_folder: dict[str, list[str]] = {folder: [] for folder in content.folders}
    for written, folder in content.projects:
        name = names.get(files.spelled(written))
        if name is None:
            missing.append(written)
            continue
        members.append(name)
        if folder:
            by_folder.setdefault(folder, []).append(name)
    loose: dict[str, list[str]] = {}
    for written, folder in content.files:
        loose.setdefault(folder, []).append(written)
    reasons: dict[str, list[str]] = {}
    for written in missing:
        reasons.setdefault(_why_missing(files, written), []).append(written)
    for reason, found in reasons.items():
        more = f" and {len(found) - _NAMED_IN_MESSAGE} more" if len(found) > _NAMED_IN_MESSAGE else ""
        named = ", ".join(f"'{each}'" for each in found[:_NAMED_IN_MESSAGE])
        statuses.append(ProjectStatus(path, "warning", f"The solution lists a project that {reason}: {named}{more}."))
    folders = tuple(
        SolutionFolder(folder, tuple(by_folder.get(folder, ())), tuple(loose.get(folder, ())))
        for folder in dict.fromkeys([*by_folder, *loose])
        if folder
    )
    return Solution(path, tuple(dict.fromkeys(members)), folders, tuple(missing), content.filter_of)
