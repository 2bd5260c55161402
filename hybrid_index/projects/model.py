"""Every project and solution of a workspace, and the questions asked of them together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from hybrid_index.projects.membership import Membership
from hybrid_index.projects.values import CompileItem, Project, ProjectStatus, Solution

# Two projects can be joined by very many shortest chains; a reader wants a few.
MAX_CHAINS = 10

_INPUT_EXTENSIONS = ("proj", ".projitems", ".props", ".targets", ".sln", ".slnx", ".slnf")
_NOT_IN_IDENTIFIER = re.compile(r"[^\w.]")


def is_project_file(path: str) -> bool:
    """Whether a path, by its name, is one that project models are read from."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(_INPUT_EXTENSIONS) or name == "packages.config"


@dataclass(frozen=True, slots=True)
class ProjectModel:
    """The project side of a workspace: frozen values and pure questions."""

    projects: tuple[Project, ...] = ()
    solutions: tuple[Solution, ...] = ()
    statuses: tuple[ProjectStatus, ...] = ()
    inputs: tuple[str, ...] = ()  # every file the model was made from: a change to one of them makes it stale
    _membership: Membership = field(init=False, repr=False, compare=False)
    _by_name: dict[str, Project] = field(init=False, repr=False, compare=False)
    _references: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    _referrers: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Build the look-ups."""
        references: dict[str, tuple[str, ...]] = {}
        referrers: dict[str, list[str]] = {project.name: [] for project in self.projects}
        for project in self.projects:
            names = [each.name for each in project.project_references if each.name and each.name != project.name]
            references[project.name] = tuple(sorted(set(names)))
            for name in references[project.name]:
                referrers[name].append(project.name)
        object.__setattr__(self, "_membership", Membership(self.projects))
        object.__setattr__(self, "_by_name", {project.name: project for project in self.projects})
        object.__setattr__(self, "_references", references)
        object.__setattr__(self, "_referrers", {name: tuple(sorted(found)) for name, found in referrers.items()})

    def __reduce__(self) -> tuple[type[ProjectModel], tuple[object, ...]]:
        """Only the values travel to another process; the look-ups are built again there."""
        return ProjectModel, (self.projects, self.solutions, self.statuses, self.inputs)

    def is_affected_by(self, path: str) -> bool:
        """Whether a new, changed or deleted file calls for loading the model again."""
        return path in self.inputs or is_project_file(path)

    def project(self, name: str) -> Project | None:
        """The project of that name."""
        return self._by_name.get(name)

    def projects_of(self, path: str) -> tuple[str, ...]:
        """Projects that a workspace-relative file belongs to, the nearest folder's first; empty for none."""
        return self._membership.owners(path)

    def assignments(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """`projects_of` for many files in one go, in time linear in their number."""
        return self._membership.assignments(paths)

    def target_frameworks_of(self, path: str, name: str) -> tuple[str, ...]:
        """Target frameworks for which the named project compiles a file."""
        return self._membership.target_frameworks(path, name)

    def deciding_items(self, path: str, name: str) -> tuple[CompileItem, ...]:
        """The steps of a project's compile lists that put a source file in or take it out."""
        return self._membership.deciding_items(path, name)

    def nearest_projects(self, path: str) -> tuple[str, ...]:
        """Projects of the nearest folder that holds any, whether or not they compile the file."""
        found = self._membership.nearest(path.rpartition("/")[0].lower())
        return tuple(self.projects[index].name for index in found)

    def solutions_of(self, name: str) -> tuple[str, ...]:
        """Paths of the solutions that list a project."""
        return tuple(solution.path for solution in self.solutions if name in solution.projects)

    def references(self, name: str) -> tuple[str, ...]:
        """Projects that a project refers to directly, sorted."""
        return self._references.get(name, ())

    def referrers(self, name: str) -> tuple[str, ...]:
        """Projects that refer to a project directly, sorted."""
        return self._referrers.get(name, ())

    def dependencies(self, name: str, depth: int | None = None) -> dict[str, int]:
        """Projects that a project depends on, each with its distance; `depth` bounds it. Itself is left out."""
        return self._reachable(name, self._references, depth)

    def dependents(self, name: str, depth: int | None = None) -> dict[str, int]:
        """Projects that depend on a project, each with its distance; `depth` bounds it. Itself is left out."""
        return self._reachable(name, self._referrers, depth)

    def dependency_path(self, source: str, target: str, packages: bool = False) -> tuple[tuple[str, ...], ...]:
        """Shortest chains of references from one project to another, at most ten, in alphabetical order.

        Args:
            source: a project.
            target: a project or, with `packages`, a package that a chain ends in.
            packages: whether package references count as last steps.
        """
        if source not in self._by_name:
            return ()
        if source == target:
            return ((source,),)
        before: dict[str, list[str]] = {source: []}
        level = [source]
        while level and target not in before:
            reached: dict[str, list[str]] = {}
            for name in level:
                for following in self._steps(name, target, packages):
                    if following not in before:
                        reached.setdefault(following, []).append(name)
            before |= reached
            level = sorted(reached)
        return tuple(sorted(_chains(before, source, target))) if target in before else ()

    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """Groups of projects that refer to each other in a circle, each sorted."""
        return _circles(self._references)

    def namespace_of_folder(self, folder: str) -> str | None:
        """The namespace that convention gives to a folder: the project's root namespace, then the folders below it.

        None where no project's folder holds it.
        """
        owners = self._membership.nearest(folder.strip("/").lower())
        if not owners:
            return None
        project = self.projects[owners[0]]
        below = folder.strip("/")[len(project.directory) :].strip("/")
        parts = [part for part in (_identifier(name) for name in below.split("/")) if part]
        return ".".join(filter(None, (project.root_namespace, *parts)))

    def _steps(self, name: str, target: str, packages: bool) -> tuple[str, ...]:
        steps = self._references.get(name, ())
        if packages and name in self._by_name:
            names = {each.name.lower() for each in self._by_name[name].package_references}
            if target.lower() in names:
                return (*steps, target)
        return steps

    def _reachable(self, name: str, edges: dict[str, tuple[str, ...]], depth: int | None) -> dict[str, int]:
        found: dict[str, int] = {}
        level, distance = [name], 0
        while level and (depth is None or distance < depth):
            distance += 1
            following = sorted({each for one in level for each in edges.get(one, ())} - found.keys() - {name})
            found |= dict.fromkeys(following, distance)
            level = following
        return found


def _chains(before: dict[str, list[str]], source: str, target: str) -> list[tuple[str, ...]]:
    chains: list[tuple[str, ...]] = []
    pending: list[tuple[str, ...]] = [(target,)]
    while pending and len(chains) < MAX_CHAINS:
        chain = pending.pop()
        if chain[0] == source:
            chains.append(chain)
        else:
            pending += [(name, *chain) for name in sorted(before[chain[0]], reverse=True)]
    return chains


def _circles(edges: dict[str, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Strongly connected components of more than one project (Tarjan, without recursion)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in sorted(edges):
        if root in order:
            continue
        work = [(root, iter(edges[root]))]
        order[root] = lowest[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, following = work[-1]
            step = next((each for each in following if each not in order or each in on_stack), None)
            if step is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[name])
                if lowest[name] == order[name]:
                    group = stack[stack.index(name) :]
                    del stack[stack.index(name) :]
                    on_stack.difference_update(group)
                    if len(group) > 1:
                        found.append(tuple(sorted(group)))
            elif step in order:
                lowest[name] = min(lowest[name], order[step])
            else:
                order[step] = lowest[step] = len(order)
                stack.append(step)
                on_stack.add(step)
                work.append((step, iter(edges.get(step, ()))))
    return tuple(sorted(found))


def _identifier(folder: str) -> str:
    """A folder name as part of a namespace, as the IDE's templates write it."""
    cleaned = _NOT_IN_IDENTIFIER.sub("_", folder).strip(".")
    return "_" + cleaned if cleaned[:1].isdigit() else cleaned
