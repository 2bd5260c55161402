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
from hybrid_index.projects.functions import absolute_path
from hybrid_index.projects.globs import is_glob
from hybrid_index.projects.options import ProjectOptions
from hybrid_index.projects.scope import ProjectScope
from hybrid_index.projects.sdks import SdkFacts, language_name, sdk_facts

# Each is several times what the largest project of the corpora needs (25 imports, 2,600 elements).
MAX_IMPORTS = 300
MAX_IMPORT_DEPTH = 40
MAX_ELEMENTS = 200_000


@dataclass(frozen=True, slots=True)
class Deferred:
    """An ItemGroup or Choose waiting for the second pass, with the file it stands in."""

    node: Node
    path: str


class Evaluation(ProjectScope):
    """One project evaluated for one target framework ("" for the project as a whole).

    After `run` the properties have their final values; `deferred` holds the items still to be evaluated.
    """

    def __init__(
        self,
        files: WorkspaceFiles,
        path: str,
        options: ProjectOptions,
        target_framework: str = "",
        solution_properties: dict[str, str] | None = None,
    ) -> None:
        super().__init__(files, path, options, target_framework, solution_properties or {})
        self.sdk = ""
        self.facts: SdkFacts | None = None
        self.deferred: list[Deferred] = []
        self._imported: set[str] = set()
        self._depth = 0
        self._elements = 0

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
                self.remark("info", f"The SDK '{name}' is not known: what it adds is left out.")
            elif self.facts is None:
                self.facts = facts
            else:
                usings = (*self.facts.usings, *(each for each in facts.usings if each not in self.facts.usings))
                self.facts = SdkFacts(
                    usings, facts.output_type or self.facts.output_type, self.facts.compiles, facts.is_test
                )
        self.facts = self.facts or sdk_facts("Microsoft.NET.Sdk")
        self._import_common_props()
        self.set_default("Platform", "AnyCPU")
        assert self.facts is not None
        if self.facts.compiles:
            self.set_default("OutputType", "Library")
            self.set_default("AssemblyName", self.value("MSBuildProjectName"))
            self.set_default("RootNamespace", self.value("MSBuildProjectName").replace(" ", "_"))
            if self.facts.output_type:
                self.set_property("OutputType", self.facts.output_type)
            if self.kind == "csharp":
                self.set_property("DefineConstants", ";".join(filter(None, (self.value("DefineConstants"), "TRACE"))))
        self.set_property("UsingMicrosoftNETSdk", "true")

    def end_sdk(self) -> None:
        """What the SDK's targets do after the project's own content."""
        self._infer_framework(self.value("TargetFramework"))
        for name in ("EnableDefaultItems", "EnableDefaultCompileItems", "EnableDefaultEmbeddedResourceItems"):
            self.set_default(name, "true")
        if self.kind in ("csharp", "fsharp") and not self.is_true("DisableImplicitConfigurationDefines"):
            symbol = self.value("Configuration").upper()
            for char in "-. ":
                symbol = symbol.replace(char, "_")
            self.set_property("DefineConstants", f"{self.value('DefineConstants')};{symbol}")
        self._import_common_targets()

    def _import_common_props(self) -> None:
        if self.value("ImportDirectoryBuildProps").lower() != "false":
            self._import_nearest("Directory.Build.props", "DirectoryBuildPropsPath")
        if self.value("ImportDirectoryPackagesProps").lower() != "false":
            self._import_nearest("Directory.Packages.props", "DirectoryPackagesPropsPath")
        self.set_default("BaseIntermediateOutputPath", "obj/")
        self.set_default("BaseOutputPath", "bin/")

    def _import_common_targets(self) -> None:
        self.set_default("Language", language_name(self.kind))
        if self.value("ImportDirectoryBuildTargets").lower() != "false":
            self._import_nearest("Directory.Build.targets", "DirectoryBuildTargetsPath")

    def _import_nearest(self, name: str, override: str) -> None:
        stated = self.value(override)
        if stated:
            path = self.files.relative(absolute_path(stated, self.project_directory))
        else:
            path = self.files.file_above(name, self.path.rpartition("/")[0])
        if path is not None and self.files.exists(path):
            self.set_default(override, self.files.absolute(path))
            self._import_path(path, self.path, None)

    def _infer_framework(self, short_name: str) -> None:
        framework = parse_framework(short_name) if short_name else None
        if framework is None:
            return
        self.set_default("TargetFrameworkIdentifier", framework.identifier)
        self.set_default("TargetFrameworkVersion", "v" + framework.version_text)
        self.set_default("TargetFrameworkMoniker", framework.moniker)
        self.set_default("TargetPlatformIdentifier", framework.platform)
        self.set_default("_TargetFrameworkVersionWithoutV", framework.version_text)

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
                self.deferred.append(Deferred(node, self.current_file))
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
        if self.is_fixed(node.tag):
            return
        outcome = self.outcome(node, in_file=False)
        if outcome.value is False:
            return
        notes: list[str] = []
        value = expand(node.text, self, notes)
        if outcome.value is None:
            self.doubt(node.tag, value, outcome.reason)
        else:
            self.assign(node.tag, value, notes[0] if notes else None)

    def _choose(self, node: Node) -> None:
        self.deferred.append(Deferred(node, self.current_file))
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
            self.note_unknown(self.current_file, node.line, node.condition, outcome.reason, node.tag)
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
        if notes and not target.startswith(TOOLSET_ROOT):
            self.note_unknown(self.current_file, node.line, project, notes[0], "Import")
            return
        if not target:
            self.remark("info", f"The import '{project}' comes to nothing here.", self.current_file, node.line)
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
                "warning",
                f"The import '{written}' leads outside the workspace and was not read.",
                self.current_file,
                line,
            )
        elif is_glob(path):
            for match in self.files.matching(path):
                self._import_path(match, self.current_file, line)
        elif not self.files.exists(path):
            self.remark("warning", f"The imported file '{path}' does not exist.", self.current_file, line)
        else:
            self._import_path(path, self.current_file, line)

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
    def imported(self) -> tuple[str, ...]:
        """Every file that was imported, sorted."""
        return tuple(sorted(self._imported))


def _sdk_names(root: Node) -> list[str]:
    """SDKs named by the root element's attribute and by Sdk elements."""
    names = [name.strip() for name in root.attributes.get("sdk", "").split(";") if name.strip()]
    names += [node.attributes["name"] for node in root.children if node.tag == "Sdk" and node.attributes.get("name")]
    return names
