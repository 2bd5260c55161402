"""The first pass over a project: properties and imports, in the order in which MSBuild reads them.

Items wait until every property has its final value; `ItemPass` (items.py) takes them up from `deferred`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from hybrid_index.projects.conditions import Outcome, evaluate_condition
from hybrid_index.projects.documents import Node, UnreadableDocument
from hybrid_index.projects.expressions import expand, unescape
from hybrid_index.projects.files import TOOLSET_ROOT, WorkspaceFiles
from hybrid_index.projects.frameworks import parse_framework
from hybrid_index.projects.functions import FunctionContext, absolute_path
from hybrid_index.projects.globs import is_glob
from hybrid_index.projects.options import ProjectOptions
from hybrid_index.projects.sdks import SdkFacts, language_name, project_kind, sdk_facts, source_extension
from hybrid_index.projects.values import ProjectStatus, UnknownCondition

# Each is several times what the largest project of the corpora needs (25 imports, 2,600 elements).
MAX_IMPORTS = 300
MAX_IMPORT_DEPTH = 40
MAX_ELEMENTS = 200_000

# Properties that the SDK or the machine sets and that are not modelled: their values are unknown rather than empty.
_SET_ELSEWHERE = frozenset(
    """
    msbuildversion msbuildassemblyversion msbuildruntimetype msbuildfileversion msbuildsemanticversion
    netcoresdkversion netcoreappmaximumversion bundlednetcoreapptargetframeworkversion
    bundlednetcoreapppackageversion netcoresdkruntimeidentifier dotnet_host_path dotnethostpath netcoreroot
    nugetpackageroot nugettoolpath userprofile home username computername path temp tmp programfiles
    localappdata appdata programdata msbuilduserextensionspath frameworkpathoverride
    """.split()
)
_TOOLSET_PROPERTIES = (
    "MSBuildExtensionsPath",
    "MSBuildExtensionsPath32",
    "MSBuildExtensionsPath64",
    "MSBuildToolsPath",
    "MSBuildBinPath",
    "MSBuildSDKsPath",
    "MSBuildFrameworkToolsPath",
    "VSToolsPath",
    "NuGetPackageRootPath",
)


@dataclass(frozen=True, slots=True)
class Deferred:
    """An ItemGroup or Choose waiting for the second pass, with the file it stands in."""

    node: Node
    path: str


class Evaluation:
    """One project evaluated for one target framework ("" for the project as a whole).

    It is also the scope and the function context of its expressions.
    """

    def __init__(
        self,
        files: WorkspaceFiles,
        path: str,
        options: ProjectOptions,
        target_framework: str = "",
        solution_properties: dict[str, str] | None = None,
    ) -> None:
        self.files = files
        self.path = path
        self.kind = project_kind(path) or "other"
        self.options = options
        self.sdk = ""
        self.facts: SdkFacts | None = None
        self.unknown: dict[tuple[str, int, str], UnknownCondition] = {}
        self.statuses: dict[tuple[str, str], ProjectStatus] = {}
        self.deferred: list[Deferred] = []
        self.item_lists: dict[str, list[str]] = {}
        self.metadata: dict[str, str] = {}
        self.condition_directory = ""
        self._imported: set[str] = set()
        self._depth = 0
        self._elements = 0
        self._file = path
        self._properties: dict[str, str] = {}
        self._uncertain: dict[str, str] = {}
        self._fixed: frozenset[str] = frozenset()
        self._seed(target_framework, solution_properties or {})

    # -- scope -------------------------------------------------------------------------------------------------------

    @property
    def functions(self) -> FunctionContext:
        """The evaluation answers for functions itself."""
        return self

    @property
    def operating_system(self) -> str:
        """See `FunctionContext`."""
        return self.options.operating_system

    @property
    def this_file_directory(self) -> str:
        """See `FunctionContext`."""
        return self._properties["msbuildthisfiledirectory"]

    @property
    def project_directory(self) -> str:
        """See `FunctionContext`."""
        return self._properties["msbuildprojectdirectory"]

    def path_exists(self, path: str) -> bool | None:
        """See `FunctionContext`."""
        relative = self.files.relative(path)
        if relative is not None:
            return self.files.exists(relative)
        if path.startswith(TOOLSET_ROOT) and posixpath.basename(path).lower() == "microsoft.common.props":
            return True
        return None

    def file_above(self, name: str, directory: str) -> str | None:
        """See `FunctionContext`."""
        relative = self.files.relative(directory)
        found = self.files.file_above(name.replace("\\", "/"), relative) if relative is not None else None
        return self.files.absolute(found) if found is not None else None

    def property_value(self, name: str) -> tuple[str, str | None]:
        """See `Scope`."""
        key = name.lower()
        value = self._properties.get(key)
        if key in self._uncertain:
            return value or "", self._uncertain[key]
        if value is not None:
            return value, None
        if key in _SET_ELSEWHERE:
            return "", f"$({name}) is set by the SDK or the machine"
        return "", None

    def item_list(self, name: str) -> tuple[list[str], str | None]:
        """See `Scope`."""
        found = self.item_lists.get(name.lower())
        return (found, None) if found is not None else ([], None)

    def metadata_value(self, item: str, name: str) -> str | None:
        """See `Scope`."""
        return self.metadata.get(name.lower())

    # -- results -----------------------------------------------------------------------------------------------------

    def value(self, name: str) -> str:
        """Final value of a property, "" where it is not set."""
        return self._properties.get(name.lower(), "").strip()

    def certain_value(self, name: str) -> str:
        """Final value of a property; "" also where it is not certain, which is then recorded."""
        reason = self._uncertain.get(name.lower())
        if reason is None:
            return self.value(name)
        self.note_unknown(self.path, 0, f"$({name})", reason, name)
        return ""

    def is_true(self, name: str) -> bool:
        """Whether a property is set to true."""
        return self.value(name).lower() == "true"

    def note_unknown(self, path: str, line: int, text: str, reason: str, affects: str) -> None:
        """Record something that cannot be known."""
        self.unknown.setdefault((path, line, text), UnknownCondition(path, line, text.strip(), reason, affects))

    def remark(self, severity: str, message: str, path: str | None = None, line: int | None = None) -> None:
        """Record a status row."""
        row = ProjectStatus(path or self.path, severity, message, line)
        self.statuses.setdefault((row.path, message), row)

    # -- first pass --------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Read the project file and everything it imports.

        Raises:
            UnreadableDocument: the project file itself cannot be read.
        """
        root = self.files.document(self.path)
        names = _sdk_names(root)
        if names:
            self.begin_sdk(names)
        self._walk_file(root, self.path)
        if names:
            self.end_sdk()

    def begin_sdk(self, names: list[str]) -> None:
        """What the SDK's props do before the project's own content."""
        self.sdk = self.sdk or names[0].split("/")[0]
        for name in names:
            facts = sdk_facts(name)
            if facts is None:
                self.remark("info", f"The SDK '{name}' is not known; what it adds to Microsoft.NET.Sdk is left out.")
            elif self.facts is None:
                self.facts = facts
            else:
                usings = (*self.facts.usings, *(each for each in facts.usings if each not in self.facts.usings))
                self.facts = SdkFacts(
                    usings, facts.output_type or self.facts.output_type, self.facts.compiles, facts.is_test
                )
        self.facts = self.facts or sdk_facts("Microsoft.NET.Sdk")
        self._import_common_props()
        assert self.facts is not None
        if self.facts.compiles:
            self._default("OutputType", "Library")
            self._default("AssemblyName", self.value("MSBuildProjectName"))
            self._default("RootNamespace", self.value("MSBuildProjectName").replace(" ", "_"))
            if self.facts.output_type:
                self._set("OutputType", self.facts.output_type)
            if self.kind == "csharp":
                self._set("DefineConstants", ";".join(filter(None, (self.value("DefineConstants"), "TRACE"))))
        self._set("UsingMicrosoftNETSdk", "true")

    def end_sdk(self) -> None:
        """What the SDK's targets do after the project's own content."""
        self._infer_framework(self.value("TargetFramework"))
        for name in ("EnableDefaultItems", "EnableDefaultCompileItems", "EnableDefaultEmbeddedResourceItems"):
            self._default(name, "true")
        if self.kind in ("csharp", "fsharp") and not self.is_true("DisableImplicitConfigurationDefines"):
            symbol = self.value("Configuration").upper()
            for char in "-. ":
                symbol = symbol.replace(char, "_")
            self._set("DefineConstants", f"{self.value('DefineConstants')};{symbol}")
        self._import_common_targets()

    def _import_common_props(self) -> None:
        if self.value("ImportDirectoryBuildProps").lower() != "false":
            self._import_nearest("Directory.Build.props", "DirectoryBuildPropsPath")
        if self.value("ImportDirectoryPackagesProps").lower() != "false":
            self._import_nearest("Directory.Packages.props", "DirectoryPackagesPropsPath")
        self._default("BaseIntermediateOutputPath", "obj/")
        self._default("BaseOutputPath", "bin/")

    def _import_common_targets(self) -> None:
        self._default("Language", language_name(self.kind))
        if self.value("ImportDirectoryBuildTargets").lower() != "false":
            self._import_nearest("Directory.Build.targets", "DirectoryBuildTargetsPath")

    def _import_nearest(self, name: str, override: str) -> None:
        stated = self.value(override)
        if stated:
            path = self.files.relative(absolute_path(stated, self.project_directory))
        else:
            path = self.files.file_above(name, self.path.rpartition("/")[0])
        if path is not None and self.files.exists(path):
            self._default(override, self.files.absolute(path))
            self._import_path(path, self.path, None)

    def _infer_framework(self, short_name: str) -> None:
        framework = parse_framework(short_name) if short_name else None
        if framework is None:
            return
        self._default("TargetFrameworkIdentifier", framework.identifier)
        self._default("TargetFrameworkVersion", "v" + framework.version_text)
        self._default("TargetFrameworkMoniker", framework.moniker)
        self._default("TargetPlatformIdentifier", framework.platform)
        self._default("_TargetFrameworkVersionWithoutV", framework.version_text)

    def _seed(self, target_framework: str, solution_properties: dict[str, str]) -> None:
        absolute = self.files.absolute(self.path)
        directory, _, file_name = absolute.rpartition("/")
        stem, _, extension = file_name.rpartition(".")
        fixed = {"Configuration": self.options.configuration, "Platform": self.options.platform}
        if target_framework:
            fixed["TargetFramework"] = target_framework
        initial = {
            **{name: TOOLSET_ROOT for name in _TOOLSET_PROPERTIES},
            **solution_properties,
            **fixed,
            "OS": self.options.os_property,
            "MSBuildToolsVersion": "Current",
            "MSBuildProjectFullPath": absolute,
            "MSBuildProjectDirectory": directory,
            "MSBuildProjectDirectoryNoRoot": directory.lstrip("/"),
            "MSBuildProjectFile": file_name,
            "MSBuildProjectName": stem,
            "MSBuildProjectExtension": "." + extension,
            "DefaultLanguageSourceExtension": source_extension(self.kind),
        }
        self._properties = {name.lower(): value for name, value in initial.items()}
        self._fixed = frozenset(name.lower() for name in fixed)
        self.enter_file(self.path)
        if "SolutionDir" in solution_properties and not solution_properties["SolutionDir"]:
            self._uncertain["solutiondir"] = "$(SolutionDir) differs between the solutions that hold the project"

    def enter_file(self, path: str) -> str:
        """Make `MSBuildThisFile..` point at a file; returns the file that was current before."""
        previous, self._file = self._file, path
        absolute = self.files.absolute(path)
        directory, _, file_name = absolute.rpartition("/")
        stem, _, extension = file_name.rpartition(".")
        self._properties |= {
            "msbuildthisfilefullpath": absolute,
            "msbuildthisfiledirectory": directory + "/",
            "msbuildthisfiledirectorynoroot": directory.lstrip("/") + "/",
            "msbuildthisfile": file_name,
            "msbuildthisfilename": stem,
            "msbuildthisfileextension": "." + extension,
        }
        return previous

    def _walk_file(self, root: Node, path: str) -> None:
        previous = self.enter_file(path)
        self._walk(root.children)
        self.enter_file(previous)

    def _walk(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self._elements += 1
            if self._elements > MAX_ELEMENTS:
                self.remark("warning", f"More than {MAX_ELEMENTS:,} elements: the rest was not read.")
                return
            if node.tag == "PropertyGroup":
                self._property_group(node)
            elif node.tag == "ItemGroup":
                self.deferred.append(Deferred(node, self._file))
            elif node.tag == "Import":
                self._import(node)
            elif node.tag == "ImportGroup":
                if self.holds(node, in_file=True):
                    self._walk(node.children)
            elif node.tag == "Choose":
                self._choose(node)

    def _property_group(self, node: Node) -> None:
        if not node.children or not self.holds(node, in_file=True):
            return
        for child in node.children:
            self._elements += 1
            self._assign(child)

    def _assign(self, node: Node) -> None:
        key = node.tag.lower()
        if key in self._fixed:
            return
        notes: list[str] = []
        outcome = self.outcome(node, in_file=False)
        if outcome.value is False:
            return
        value = expand(node.text, self, notes)
        if outcome.value is None:
            if value != self._properties.get(key, ""):
                self._uncertain[key] = outcome.reason
            return
        if notes:
            self._uncertain[key] = notes[0]
        else:
            self._uncertain.pop(key, None)
        self._properties[key] = value

    def _choose(self, node: Node) -> None:
        self.deferred.append(Deferred(node, self._file))
        branch = self.chosen_branch(node)
        if branch is None:
            return
        for child in branch.children:
            if child.tag == "PropertyGroup":
                self._property_group(child)
            elif child.tag == "Choose":
                before = len(self.deferred)
                self._choose(child)
                del self.deferred[before:]  # the outer Choose brings its inner ones to the second pass

    def chosen_branch(self, node: Node) -> Node | None:
        """The When or Otherwise that applies; None where none does or an earlier one is not known."""
        for branch in node.children:
            if branch.tag == "Otherwise":
                return branch
            outcome = self.outcome(branch, in_file=False)
            if outcome.value is not False:
                return branch if outcome.value else None
        return None

    def holds(self, node: Node, in_file: bool = False) -> bool:
        """Whether an element applies; an unknown condition is recorded and counts as no."""
        return not node.condition or self.outcome(node, in_file).value is True

    def outcome(self, node: Node, in_file: bool) -> Outcome:
        """Outcome of an element's condition; `in_file`: relative paths start from the file, not the project."""
        if not node.condition:
            return Outcome(True)
        self.condition_directory = self.this_file_directory.rstrip("/") if in_file else self.project_directory
        outcome = evaluate_condition(node.condition, self)
        if outcome.value is None:
            self.note_unknown(self._file, node.line, node.condition, outcome.reason, node.tag)
        return outcome

    # -- imports -----------------------------------------------------------------------------------------------------

    def _import(self, node: Node) -> None:
        if not self.holds(node, in_file=True):
            return
        sdk = node.attributes.get("sdk", "")
        project = node.attributes.get("project", "")
        if sdk:
            self._import_sdk(sdk, project)
            return
        notes: list[str] = []
        target = unescape(expand(project, self, notes)).strip()
        if notes:
            self.note_unknown(self._file, node.line, project, notes[0], "Import")
            return
        if not target:
            self.remark("info", f"The import '{project}' comes to nothing here.", self._file, node.line)
            return
        self._import_target(absolute_path(target, self.this_file_directory), project, node.line)

    def _import_sdk(self, sdk: str, project: str) -> None:
        stage = project.lower()
        if stage.endswith(".props"):
            self.begin_sdk([sdk])
        elif stage.endswith(".targets"):
            self.end_sdk()

    def _import_target(self, absolute: str, written: str, line: int) -> None:
        if absolute.startswith(TOOLSET_ROOT):
            self._import_toolset(posixpath.basename(absolute).lower())
            return
        path = self.files.relative(absolute)
        if path is None:
            self.remark(
                "warning", f"The import '{written}' leads outside the workspace and was not read.", self._file, line
            )
        elif is_glob(path):
            for match in self.files.matching(path):
                self._import_path(match, self._file, line)
        elif not self.files.exists(path):
            self.remark("warning", f"The imported file '{path}' does not exist.", self._file, line)
        else:
            self._import_path(path, self._file, line)

    def _import_toolset(self, name: str) -> None:
        """Imports of projects in the old format that stand for the common props and targets."""
        if name == "microsoft.common.props":
            self._import_common_props()
        elif name in ("microsoft.csharp.targets", "microsoft.visualbasic.targets", "microsoft.fsharp.targets"):
            self._import_common_targets()

    def _import_path(self, path: str, importer: str, line: int | None) -> None:
        path = self.files.spelled(path)
        if path in self._imported or path == self.path:
            return  # as MSBuild does: a file takes part once
        if len(self._imported) >= MAX_IMPORTS:
            self.remark("warning", f"More than {MAX_IMPORTS} imports: the rest was not read.")
            return
        self._imported.add(path)
        try:
            root = self.files.document(path)
        except UnreadableDocument as error:
            self.remark("warning", f"The imported file '{path}' was not read: {error}.", importer, line)
            return
        for sdk in _sdk_names(root):
            self.remark("info", f"The SDK '{sdk}' of the imported file '{path}' was not read.", importer, line)
        if self._depth >= MAX_IMPORT_DEPTH:
            self.remark("warning", f"Imports are nested deeper than {MAX_IMPORT_DEPTH} files: the rest was not read.")
            return
        self._depth += 1
        self._walk_file(root, path)
        self._depth -= 1

    @property
    def current_file(self) -> str:
        """The file being evaluated."""
        return self._file

    @property
    def imported(self) -> tuple[str, ...]:
        """Every file that was imported, sorted."""
        return tuple(sorted(self._imported))

    def _default(self, name: str, value: str) -> None:
        key = name.lower()
        if not self._properties.get(key, "").strip() and key not in self._uncertain:
            self._properties[key] = value

    def _set(self, name: str, value: str) -> None:
        self._properties[name.lower()] = value


def _sdk_names(root: Node) -> list[str]:
    """SDKs named by the root element's attribute and by Sdk elements."""
    names = [name.strip() for name in root.attributes.get("sdk", "").split(";") if name.strip()]
    names += [node.attributes["name"] for node in root.children if node.tag == "Sdk" and node.attributes.get("name")]
    return names
