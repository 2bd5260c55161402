"""From one project file to one `Project`: evaluate it for every target framework and put the answers together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from hybrid_index.projects.documents import UnreadableDocument
from hybrid_index.projects.evaluation import Evaluation
from hybrid_index.projects.files import WorkspaceFiles
from hybrid_index.projects.frameworks import (
    default_csharp_version,
    framework_of_version,
    implied_symbols,
    parse_framework,
)
from hybrid_index.projects.functions import absolute_path
from hybrid_index.projects.globs import is_glob
from hybrid_index.projects.items import Item, ItemPass, LiteralItems
from hybrid_index.projects.options import ProjectOptions
from hybrid_index.projects.packages import read_packages
from hybrid_index.projects.sdks import is_test_package, package_usings, project_kind
from hybrid_index.projects.values import (
    CompileItem,
    CompileSet,
    GlobalUsing,
    PackageReference,
    Project,
    ProjectReference,
    ProjectStatus,
    UnknownCondition,
)

# MSBuild sets no limit; the widest project of the corpora names 9.
MAX_TARGET_FRAMEWORKS = 32

_Row = TypeVar("_Row", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ProjectReading:
    """A project, apart from its final name, and what was remarked while reading it."""

    project: Project
    statuses: tuple[ProjectStatus, ...]
    inputs: tuple[str, ...]  # every file that took part


@dataclass(frozen=True, slots=True)
class _Build:
    """One evaluation with its items."""

    framework: str
    evaluation: Evaluation
    items: ItemPass


def read_project(
    files: WorkspaceFiles,
    path: str,
    options: ProjectOptions,
    solution_properties: dict[str, str],
    literals: LiteralItems,
) -> ProjectReading:
    """Evaluate a project file; `literals` is a cache that all projects of one load share.

    Raises:
        UnreadableDocument: the file is missing, malformed, or not a project.
    """
    root = files.document(path)
    if root.tag != "Project":
        raise UnreadableDocument(f"its root element is '{root.tag}', not 'Project'")
    whole = Evaluation(files, path, options, "", solution_properties)
    whole.run()
    several = _frameworks(whole)
    builds: list[_Build] = []
    for framework in several or [_single_framework(whole)]:
        evaluation = whole
        if several:
            evaluation = Evaluation(files, path, options, framework, solution_properties)
            evaluation.run()
        items = ItemPass(evaluation, literals)
        items.run()
        builds.append(_Build(framework, evaluation, items))
    project = _assemble(files, path, builds)
    evaluations = [whole, *(build.evaluation for build in builds)]
    statuses = {key: row for each in evaluations for key, row in each.statuses.items()}
    inputs = {path, *(imported for each in evaluations for imported in each.imported)}
    return ProjectReading(project, tuple(statuses.values()), tuple(sorted(inputs)))


def _frameworks(evaluation: Evaluation) -> list[str]:
    """Frameworks of a project that is built once for each of them."""
    if evaluation.value("TargetFramework") or not _is_compiled(evaluation):
        return []
    stated = [part.strip() for part in evaluation.value("TargetFrameworks").split(";") if part.strip()]
    if evaluation.value("TargetFrameworks"):
        evaluation.certain_value("TargetFrameworks")
    return list(dict.fromkeys(stated))[:MAX_TARGET_FRAMEWORKS]


def _single_framework(evaluation: Evaluation) -> str:
    if not _is_compiled(evaluation):
        return ""  # it may inherit a framework from Directory.Build.props, but has no use for it
    return evaluation.value("TargetFramework") or framework_of_version(evaluation.value("TargetFrameworkVersion"))


def _is_compiled(evaluation: Evaluation) -> bool:
    return evaluation.kind in ("csharp", "vb", "fsharp")


def _assemble(files: WorkspaceFiles, path: str, builds: list[_Build]) -> Project:
    first = builds[0].evaluation
    stem = path.rpartition("/")[2].rpartition(".")[0]
    assembly_name = first.certain_value("AssemblyName") or stem
    packages = _packages(files, builds)
    unknown: dict[tuple[str, int, str], UnknownCondition] = {}
    root_namespace = first.certain_value("RootNamespace") or stem.replace(" ", "_")
    output_type = _output_type(first)
    lang_version = _lang_version(builds)
    test = _is_test(first, packages)
    references = _project_references(files, builds)
    friends = _internals_visible_to(builds)
    defines = tuple((build.framework, _defines(build)) for build in builds)
    for build in builds:
        unknown |= build.evaluation.unknown
    return Project(
        name=stem,
        path=path,
        kind=project_kind(path) or "other",
        sdk=first.sdk,
        target_frameworks=tuple(build.framework for build in builds if build.framework),
        output_type=output_type,
        root_namespace=root_namespace,
        assembly_name=assembly_name,
        is_test=test,
        lang_version=lang_version,
        defines=defines,
        global_usings=_global_usings(builds, packages),
        implicit_usings=_implicit_usings(first),
        project_references=references,
        package_references=packages,
        internals_visible_to=friends,
        compile=_compile_sets(builds),
        linked_patterns=tuple(dict.fromkeys(each for build in builds for each in build.items.linked)),
        unknown_conditions=tuple(unknown.values()),
    )


def _output_type(evaluation: Evaluation) -> str:
    stated = evaluation.certain_value("OutputType")
    known = {"exe": "Exe", "winexe": "WinExe", "library": "Library", "module": "Module"}
    default = "Library" if _is_compiled(evaluation) else ""
    return known.get(stated.lower(), stated) or default


def _lang_version(builds: list[_Build]) -> str:
    evaluation = builds[0].evaluation
    stated = evaluation.certain_value("LangVersion")
    if stated or evaluation.kind != "csharp":
        return stated
    frameworks = [parsed for build in builds if (parsed := parse_framework(build.framework)) is not None]
    versions = [default_csharp_version(each) for each in frameworks]
    return max(versions, key=lambda version: tuple(map(int, version.split("."))), default="")


def _is_test(evaluation: Evaluation, packages: Iterable[PackageReference]) -> bool:
    stated = evaluation.value("IsTestProject").lower()
    if stated in ("true", "false"):
        return stated == "true"
    if evaluation.facts is not None and evaluation.facts.is_test:
        return True
    return any(is_test_package(package.name) for package in packages)


def _implicit_usings(evaluation: Evaluation) -> bool:
    return evaluation.kind == "csharp" and evaluation.value("ImplicitUsings").lower() in ("enable", "true")


def _defines(build: _Build) -> tuple[str, ...]:
    evaluation = build.evaluation
    if not _is_compiled(evaluation):
        return ()
    if evaluation.value("DefineConstants"):
        evaluation.certain_value("DefineConstants")
    separators = evaluation.value("DefineConstants").replace(",", ";").split(";")
    symbols = {symbol.strip().partition("=")[0] for symbol in separators if symbol.strip()}
    framework = parse_framework(build.framework)
    by_sdk = evaluation.facts is not None and evaluation.facts.compiles
    if by_sdk and framework is not None and not evaluation.is_true("DisableImplicitFrameworkDefines"):
        symbols.update(implied_symbols(framework))
    if evaluation.is_true("DisableDiagnosticTracing"):
        symbols.discard("TRACE")
    return tuple(sorted(symbols))


def _packages(files: WorkspaceFiles, builds: list[_Build]) -> tuple[PackageReference, ...]:
    def rows(build: _Build) -> Iterable[tuple[str, str | None, str]]:
        return read_packages(files, build.evaluation, build.items)

    return tuple(
        PackageReference(name, version, frameworks, source)
        for (name, version, source), frameworks in _by_framework(builds, rows)
    )


def _by_framework(builds: list[_Build], rows: Callable[[_Build], Iterable[_Row]]) -> list[tuple[_Row, tuple[str, ...]]]:
    """Unite the rows of all builds, each with the frameworks it holds for."""
    found: dict[_Row, list[str]] = {}
    for build in builds:
        for row in dict.fromkeys(rows(build)):
            found.setdefault(row, []).append(build.framework)
    return [(row, tuple(name for name in frameworks if name)) for row, frameworks in found.items()]


def _global_usings(builds: list[_Build], packages: tuple[PackageReference, ...]) -> tuple[GlobalUsing, ...]:
    def rows(build: _Build) -> Iterable[tuple[str, bool, str | None, str]]:
        if build.evaluation.kind != "csharp":
            return
        stated = build.items.of("using")
        seen = {item.identity for item in stated}
        for item in stated:
            is_static = item.metadata.get("static", "").lower() == "true"
            alias = item.metadata.get("alias") or None
            yield item.identity, is_static, alias, item.metadata.get("origin", "project")
        if not _implicit_usings(build.evaluation):
            return
        for package in packages:
            if not package.target_frameworks or build.framework in package.target_frameworks:
                for namespace in package_usings(package.name):
                    if namespace not in seen:
                        yield namespace, False, None, "package"

    return tuple(
        GlobalUsing(namespace, frameworks, is_static, alias, origin)
        for (namespace, is_static, alias, origin), frameworks in _by_framework(builds, rows)
    )


def _project_references(files: WorkspaceFiles, builds: list[_Build]) -> tuple[ProjectReference, ...]:
    def rows(build: _Build) -> Iterable[tuple[str, bool, str]]:
        for item in build.items.of("projectreference"):
            for path in _referred_paths(files, build.evaluation, item):
                assembly = item.metadata.get("referenceoutputassembly", "").lower() != "false"
                yield path, assembly, item.metadata.get("outputitemtype", "")

    return tuple(
        ProjectReference(path, None, frameworks, assembly, output)
        for (path, assembly, output), frameworks in _by_framework(builds, rows)
    )


def _referred_paths(files: WorkspaceFiles, evaluation: Evaluation, item: Item) -> list[str]:
    written = item.identity.replace("\\", "/")
    path = files.relative(absolute_path(written, evaluation.project_directory))
    if path is None:
        return [written]
    if not is_glob(path):
        return [files.spelled(path)]
    excluded = {match for pattern in item.excludes for match in files.matching(pattern)}
    return [match for match in files.matching(path) if match not in excluded and match != evaluation.path]


def _internals_visible_to(builds: list[_Build]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for build in builds:
        for item in build.items.of("internalsvisibleto"):
            names[item.identity.partition(",")[0].strip()] = None
        for item in build.items.of("assemblyattribute"):
            if item.identity.endswith(("InternalsVisibleTo", "InternalsVisibleToAttribute")):
                names[item.metadata.get("_parameter1", "").partition(",")[0].strip()] = None
    return tuple(name for name in names if name)


def _compile_sets(builds: list[_Build]) -> tuple[CompileSet, ...]:
    sets: dict[tuple[CompileItem, ...], list[str]] = {}
    for build in builds:
        sets.setdefault(tuple(build.items.compile), []).append(build.framework)
    return tuple(CompileSet(tuple(name for name in names if name), items) for items, names in sets.items() if items)
