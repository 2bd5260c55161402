"""Answers about projects: the graph, a file's owners, dependency chains, and the layout of namespaces.

Pure functions over a `ProjectModel`. A name that fits several projects gives the candidates, one that fits none says
what was searched; a similar name is never taken instead.
"""

from __future__ import annotations

import fnmatch
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hybrid_index.projects import CompileItem, Project, ProjectModel, ProjectReference, ProjectStatus

Direction = Literal["dependencies", "dependents", "both"]
Inclusion = Literal["include", "exclude", "only"]


@dataclass(frozen=True, slots=True)
class ProjectMatch:
    """What a name given by a caller stands for."""

    given: str
    status: Literal["found", "ambiguous", "not_found"]
    names: tuple[str, ...]  # one for "found", the candidates for "ambiguous"
    searched: int = 0  # how many projects were looked at


@dataclass(frozen=True, slots=True)
class ProjectNode:
    """One project in a graph."""

    name: str
    path: str
    kind: str
    target_frameworks: tuple[str, ...]
    output_type: str
    is_test: bool
    solutions: tuple[str, ...]
    dependencies: int  # direct ones, in the whole workspace
    dependents: int
    packages: int
    unknown_conditions: int
    distance: int | None = None  # steps from the projects that were asked about


@dataclass(frozen=True, slots=True)
class ProjectEdge:
    """A reference: `source` depends on `target`."""

    source: str
    target: str
    kind: Literal["project", "analyzer", "build_only", "package"]
    target_frameworks: tuple[str, ...] = ()
    version: str | None = None  # of a package


@dataclass(frozen=True, slots=True)
class ProjectGraph:
    """Projects and the references among them."""

    nodes: tuple[ProjectNode, ...]
    edges: tuple[ProjectEdge, ...]
    cycles: tuple[tuple[str, ...], ...]
    roots: tuple[str, ...]  # nodes that no other node refers to
    statuses: tuple[ProjectStatus, ...]  # load trouble: all of it, or in a narrowed graph that of the nodes' files
    unresolved: tuple[ProjectMatch, ...] = ()


@dataclass(frozen=True, slots=True)
class Containment:
    """How a file belongs to a project."""

    project: str
    how: Literal["compiled", "linked", "shared", "content", "folder"]
    pattern: str | None = None  # the item that takes it in
    link: str | None = None
    target_frameworks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileProjects:
    """Projects that one file belongs to, the nearest first."""

    path: str
    projects: tuple[Containment, ...]
    note: str = ""  # why there is none


@dataclass(frozen=True, slots=True)
class DependencyPath:
    """How one project comes to depend on another project or a package."""

    source: ProjectMatch
    target: ProjectMatch
    chains: tuple[tuple[str, ...], ...]  # the shortest ones
    direct: bool = False
    reversed_chains: tuple[tuple[str, ...], ...] = ()  # where only the opposite direction exists


@dataclass(frozen=True, slots=True)
class NamespaceRow:
    """One namespace in one project."""

    namespace: str
    project: str | None
    folders: tuple[str, ...]
    files: int


@dataclass(frozen=True, slots=True)
class MisplacedFile:
    """A file whose namespace is not what its folder suggests."""

    path: str
    project: str
    declared: str
    expected: str


@dataclass(frozen=True, slots=True)
class NamespaceLayout:
    """Which namespaces live in which folders."""

    rows: tuple[NamespaceRow, ...]
    misplaced: tuple[MisplacedFile, ...]
    files: int  # files looked at
    checked: int  # of these, how many have a namespace by convention: those below the folder of their own project
    as_expected: int  # of these, how many declare it


def match_project(model: ProjectModel, given: str) -> ProjectMatch:
    """Find the project that a name, path, folder or assembly name stands for; case is ignored.

    The exact unique name wins over a path, a path over a stem that several share, that over an assembly name.
    """
    wanted = given.strip().replace("\\", "/").removeprefix("./").rstrip("/").lower()
    searches = (
        lambda project: project.name.lower() == wanted,
        lambda project: project.path.lower() == wanted,
        lambda project: bool(wanted) and project.directory.lower() == wanted,
        lambda project: project.path.lower().rpartition("/")[2] in (wanted, *_file_names(wanted)),
        lambda project: project.assembly_name.lower() == wanted,
    )
    for search in searches:
        names = tuple(project.name for project in model.projects if search(project))
        if names:
            return ProjectMatch(given, "found" if len(names) == 1 else "ambiguous", names, len(model.projects))
    return ProjectMatch(given, "not_found", (), len(model.projects))


def _file_names(stem: str) -> tuple[str, ...]:
    return tuple(stem + extension for extension in (".csproj", ".fsproj", ".vbproj", ".shproj", ".sqlproj", ".proj"))


def project_graph(
    model: ProjectModel,
    projects: Sequence[str] = (),
    direction: Direction = "both",
    depth: int | None = None,
    solution: str | None = None,
    packages: bool = False,
    tests: Inclusion = "include",
) -> ProjectGraph:
    """The graph around some projects, or the whole of it.

    Args:
        model: the workspace's projects.
        projects: names, paths or globs of names to start from; none means every project.
        direction: which way to walk from them.
        depth: how far, in references; None for all the way.
        solution: keep only members of the solution with this path.
        packages: add package references as edges.
        tests: keep test projects, leave them out, or keep nothing else.
    """
    distances, unresolved = _selection(model, projects, direction, depth)
    members = _members(model, solution)
    kept = [
        project
        for project in model.projects
        if project.name in distances
        and (members is None or project.name in members)
        and (tests == "include" or project.is_test == (tests == "only"))
    ]
    names = {project.name for project in kept}
    edges = tuple(edge for project in kept for edge in _edges(project, names, packages))
    targets = {edge.target for edge in edges if edge.kind != "package"}
    nodes = tuple(_node(model, project, distances[project.name] if projects else None) for project in kept)
    return ProjectGraph(
        nodes=nodes,
        edges=edges,
        cycles=tuple(cycle for cycle in model.cycles() if names.issuperset(cycle)),
        roots=tuple(sorted(names - targets)),
        statuses=_statuses(model, kept, bool(projects) or solution is not None),
        unresolved=unresolved,
    )


def _selection(
    model: ProjectModel, given: Sequence[str], direction: Direction, depth: int | None
) -> tuple[dict[str, int], tuple[ProjectMatch, ...]]:
    """Distance of every project to keep, and the names that did not lead to one project."""
    if not given:
        return {project.name: 0 for project in model.projects}, ()
    distances: dict[str, int] = {}
    unresolved: list[ProjectMatch] = []
    for text in given:
        starts = [project.name for project in model.projects if fnmatch.fnmatchcase(project.name.lower(), text.lower())]
        if not any(char in text for char in "*?[") or not starts:
            match = match_project(model, text)
            starts = list(match.names) if match.status == "found" else []
            if match.status != "found":
                unresolved.append(match)
        for start in starts:
            reached = {start: 0}
            if direction in ("dependencies", "both"):
                reached |= model.dependencies(start, depth)
            if direction in ("dependents", "both"):
                for name, distance in model.dependents(start, depth).items():
                    reached[name] = min(distance, reached.get(name, distance))
            for name, distance in reached.items():
                distances[name] = min(distance, distances.get(name, distance))
    return distances, tuple(unresolved)


def _members(model: ProjectModel, solution: str | None) -> set[str] | None:
    if solution is None:
        return None
    wanted = solution.replace("\\", "/").lower()
    return {name for each in model.solutions if each.path.lower() == wanted for name in each.projects}


def _edges(project: Project, names: set[str], packages: bool) -> list[ProjectEdge]:
    edges = [
        ProjectEdge(project.name, reference.name, _edge_kind(reference), reference.target_frameworks)
        for reference in project.project_references
        if reference.name in names and reference.name is not None
    ]
    if packages:
        edges += [
            ProjectEdge(project.name, package.name, "package", package.target_frameworks, package.version)
            for package in project.package_references
        ]
    return edges


def _edge_kind(reference: ProjectReference) -> Literal["project", "analyzer", "build_only"]:
    if reference.output_item_type.lower() == "analyzer":
        return "analyzer"
    return "project" if reference.reference_output_assembly else "build_only"


def _node(model: ProjectModel, project: Project, distance: int | None) -> ProjectNode:
    return ProjectNode(
        name=project.name,
        path=project.path,
        kind=project.kind,
        target_frameworks=project.target_frameworks,
        output_type=project.output_type,
        is_test=project.is_test,
        solutions=model.solutions_of(project.name),
        dependencies=len(model.references(project.name)),
        dependents=len(model.referrers(project.name)),
        packages=len({package.name.lower() for package in project.package_references}),
        unknown_conditions=len(project.unknown_conditions),
        distance=distance,
    )


def _statuses(model: ProjectModel, kept: list[Project], narrowed: bool) -> tuple[ProjectStatus, ...]:
    if not narrowed:
        return model.statuses
    paths = {project.path for project in kept}
    return tuple(status for status in model.statuses if status.path in paths)


def projects_containing(model: ProjectModel, paths: Iterable[str]) -> tuple[FileProjects, ...]:
    """For each file: the projects it belongs to and by which rule, or why there is none."""
    return tuple(_file_projects(model, path) for path in paths)


def _file_projects(model: ProjectModel, path: str) -> FileProjects:
    owners = tuple(_containment(model, path, name) for name in model.projects_of(path))
    return FileProjects(path, owners, "" if owners else _why_none(model, path))


def _containment(model: ProjectModel, path: str, name: str) -> Containment:
    project = model.project(name)
    assert project is not None
    items = [item for item in model.deciding_items(path, name) if item.action == "include"]
    inside = not project.directory or path.lower().startswith(project.directory.lower() + "/")
    if not items:
        return Containment(name, "folder" if inside else "content")
    item = items[0]
    frameworks = model.target_frameworks_of(path, name)
    how: Literal["compiled", "linked", "shared"] = "compiled" if inside else "linked"
    if project.kind == "shared" or (not inside and _is_shared(model, path, name)):
        how = "shared"
    return Containment(name, how, item.pattern, item.link, frameworks)


def _is_shared(model: ProjectModel, path: str, name: str) -> bool:
    """Whether a file comes to a project through a shared project."""
    owners = (model.project(owner) for owner in model.projects_of(path) if owner != name)
    return any(owner is not None and owner.kind == "shared" for owner in owners)


def _why_none(model: ProjectModel, path: str) -> str:
    nearest = model.nearest_projects(path)
    if not model.projects:
        return "The workspace holds no project file that could be read."
    if not nearest:
        return "No project file lies in the file's folder or above it, and no project takes the file in."
    removed: list[CompileItem] = []
    for name in nearest:
        removed += [item for item in model.deciding_items(path, name) if item.action == "remove"]
    if removed:
        return f'{nearest[0]} takes the file out of its source files by Remove="{removed[0].pattern}".'
    return f"The nearest project, {nearest[0]}, does not compile the file, and no other project takes it in."


def dependency_path(model: ProjectModel, source: str, target: str, packages: bool = True) -> DependencyPath:
    """How `source` comes to depend on `target`: the shortest chains of references.

    Args:
        model: the workspace's projects.
        source: a project; see `match_project`.
        target: a project or, with `packages`, a package.
        packages: whether `target` may be a package.
    """
    start, end = match_project(model, source), match_project(model, target)
    if start.status != "found":
        return DependencyPath(start, end, ())
    if end.status == "found":
        chains = model.dependency_path(start.names[0], end.names[0])
        backwards = () if chains else model.dependency_path(end.names[0], start.names[0])
        return DependencyPath(start, end, chains, _is_direct(chains), backwards)
    package = _package_name(model, target) if packages and end.status == "not_found" else None
    if package is None:
        return DependencyPath(start, end, ())
    chains = model.dependency_path(start.names[0], package, packages=True)
    return DependencyPath(start, ProjectMatch(target, "found", (package,), end.searched), chains, _is_direct(chains))


def _is_direct(chains: tuple[tuple[str, ...], ...]) -> bool:
    return bool(chains) and len(chains[0]) == 2


def _package_name(model: ProjectModel, given: str) -> str | None:
    """A package's name as the first project spells it."""
    wanted = given.strip().lower()
    for project in model.projects:
        for package in project.package_references:
            if package.name.lower() == wanted:
                return package.name
    return None


def namespace_layout(
    model: ProjectModel,
    declared: Mapping[str, Sequence[str]],
    project: str | None = None,
    folder: str | None = None,
) -> NamespaceLayout:
    """Which namespaces are declared where, and which files stray from their folder.

    Args:
        model: the workspace's projects.
        declared: for each source file, the namespaces it declares types in.
        project: keep only files of the project with this name.
        folder: keep only files in or below this folder.
    """
    prefix = folder.replace("\\", "/").strip("/").lower() + "/" if folder and folder.strip("/") else ""
    owners = model.assignments(declared)
    folders: dict[tuple[str, str | None], Counter[str]] = {}
    misplaced: list[MisplacedFile] = []
    files = checked = as_expected = 0
    for path in sorted(declared):
        namespaces = declared[path]
        names = owners[path]
        if not namespaces or not path.lower().startswith(prefix) or (project is not None and project not in names):
            continue
        files += 1
        owner = project if project is not None else names[0] if names else None
        directory = path.rpartition("/")[0]
        for namespace in dict.fromkeys(namespaces):
            folders.setdefault((namespace, owner), Counter())[directory] += 1
        expected = model.namespace_of_folder(directory) if owner in model.nearest_projects(path) else None
        if expected is None or owner is None:
            continue
        checked += 1
        if expected in namespaces:
            as_expected += 1
        else:
            misplaced.append(MisplacedFile(path, owner, namespaces[0], expected))
    rows = tuple(
        NamespaceRow(namespace, owner, tuple(sorted(found)), sum(found.values()))
        for (namespace, owner), found in sorted(folders.items(), key=lambda row: (row[0][0], row[0][1] or ""))
    )
    return NamespaceLayout(rows, tuple(misplaced), files, checked, as_expected)
