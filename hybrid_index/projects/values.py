"""What the project files of a workspace say: projects, solutions and load trouble, as frozen values.

Paths are workspace-relative with `/`. A project is known everywhere by its `name`, which is unique in the workspace.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid_index.projects.frameworks import NET_CORE_APP, NET_FRAMEWORK, NET_STANDARD, parse_framework


@dataclass(frozen=True, slots=True)
class ProjectStatus:
    """One thing about a project or solution file that a reader of the model should know."""

    path: str  # the file that the remark is about
    severity: str  # "error": the file is missing or unreadable; "warning": part of it was left out; "info"
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class UnknownCondition:
    """A condition or expression whose outcome cannot be known without the SDK; what it guards was left out."""

    path: str
    line: int
    text: str
    reason: str
    affects: str  # the element it guards, for example "PropertyGroup" or "Compile"


@dataclass(frozen=True, slots=True)
class ProjectReference:
    """A reference from one project to another."""

    path: str  # workspace-relative; kept as written where it leads outside the workspace
    name: str | None  # name of the project referred to, None where the file is missing or outside the workspace
    target_frameworks: tuple[str, ...]  # frameworks of the referring project for which it holds
    reference_output_assembly: bool = True  # False: only built before, its types are not visible
    output_item_type: str = ""  # "Analyzer" for a source generator or analyser


@dataclass(frozen=True, slots=True)
class PackageReference:
    """A package that a project asks for."""

    name: str
    version: str | None  # None: no version is stated anywhere that was read
    target_frameworks: tuple[str, ...]
    source: str = "project"  # "project", "central", "override", "global" or "packages.config"


@dataclass(frozen=True, slots=True)
class GlobalUsing:
    """A `global using` that the build generates for every C# file of a project."""

    namespace: str
    target_frameworks: tuple[str, ...]
    is_static: bool = False
    alias: str | None = None
    origin: str = "project"  # "project": a Using item; "sdk": implicit usings; "package": a known package adds it


@dataclass(frozen=True, slots=True)
class CompileItem:
    """One step of a compile list: later steps win over earlier ones."""

    action: str  # "include" or "remove"
    pattern: str  # workspace-relative path or glob
    excludes: tuple[str, ...] = ()
    link: str | None = None  # where the file shows up in the project, for a file from elsewhere


@dataclass(frozen=True, slots=True)
class CompileSet:
    """The compile list of one or more target frameworks."""

    target_frameworks: tuple[str, ...]
    items: tuple[CompileItem, ...]


@dataclass(frozen=True, slots=True)
class Project:
    """One project file, evaluated for each of its target frameworks.

    A project without a target framework (shared, traversal, SQL) is evaluated once and its per-framework mappings have
    the single key "".
    """

    name: str
    path: str
    kind: str  # "csharp", "vb", "fsharp", "shared", "sql" or "other"
    sdk: str  # "" for a project in the old format
    target_frameworks: tuple[str, ...]
    output_type: str
    root_namespace: str
    assembly_name: str
    is_test: bool
    lang_version: (
        str  # as stated, else the compiler's default for the newest target framework; "" where neither applies
    )
    defines: tuple[tuple[str, tuple[str, ...]], ...]  # (target framework, sorted symbols); see `defines_for`
    global_usings: tuple[GlobalUsing, ...]
    implicit_usings: bool
    project_references: tuple[ProjectReference, ...]
    package_references: tuple[PackageReference, ...]
    internals_visible_to: tuple[str, ...]
    compile: tuple[CompileSet, ...]
    linked_patterns: tuple[str, ...]  # content and resources taken in from outside the project's folder
    unknown_conditions: tuple[UnknownCondition, ...]

    @property
    def directory(self) -> str:
        """The project's folder, "" for the workspace root."""
        return self.path.rpartition("/")[0]

    @property
    def newest_framework(self) -> str:
        """The newest target framework, .NET before .NET Standard before .NET Framework; "" where there is none."""

        def age(name: str) -> tuple[int, tuple[int, ...], bool]:
            parsed = parse_framework(name)
            if parsed is None:
                return -1, (), False
            families = (NET_FRAMEWORK, NET_STANDARD, NET_CORE_APP)
            family = families.index(parsed.identifier) if parsed.identifier in families else -1
            return family, parsed.version, not parsed.platform

        return max(self.target_frameworks, key=age, default="")

    def defines_for(self, target_framework: str | None = None) -> tuple[str, ...]:
        """Preprocessor symbols of one target framework; without one, of the first that the project names."""
        for framework, symbols in self.defines:
            if target_framework is None or framework == target_framework:
                return symbols
        return ()


@dataclass(frozen=True, slots=True)
class SolutionFolder:
    """A virtual folder of a solution."""

    path: str  # "/src/"
    projects: tuple[str, ...]  # names
    files: tuple[str, ...] = ()  # loose files, workspace-relative


@dataclass(frozen=True, slots=True)
class Solution:
    """A `.sln`, `.slnx` or `.slnf` file."""

    path: str
    projects: tuple[str, ...]  # names, in the file's order
    folders: tuple[SolutionFolder, ...] = ()
    missing: tuple[str, ...] = ()  # project paths that are not in the workspace
    filter_of: str | None = None  # the solution that a `.slnf` narrows
