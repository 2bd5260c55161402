"""What the expressions of one project evaluation see: properties, the file at hand, and the workspace's files."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from hybrid_index.projects.files import TOOLSET_ROOT, WorkspaceFiles
from hybrid_index.projects.functions import FunctionContext, absolute_path
from hybrid_index.projects.options import ProjectOptions
from hybrid_index.projects.sdks import project_kind, source_extension
from hybrid_index.projects.values import ProjectStatus, UnknownCondition

# Properties that the SDK or the machine sets and that are not modelled: their values are unknown rather than empty.
_SET_ELSEWHERE = frozenset(
    """
    visualstudioversion msbuildversion msbuildassemblyversion msbuildruntimetype msbuildfileversion
    msbuildsemanticversion
    netcoresdkversion netcoreappmaximumversion bundlednetcoreapptargetframeworkversion
    bundlednetcoreapppackageversion netcoresdkruntimeidentifier dotnet_host_path dotnethostpath netcoreroot
    nugetpackageroot nugettoolpath userprofile home username computername path temp tmp programfiles
    localappdata appdata programdata msbuilduserextensionspath frameworkpathoverride
    """.split()
)
# Assignments to these are refused by MSBuild, or only guess where Visual Studio is: what is set beforehand stays.
_RESERVED = ("msbuildproject", "msbuildthisfile", "visualstudioversion", "vstoolspath")
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


class ProjectScope:
    """Properties of one evaluation, with what is uncertain about them; implements `Scope` and `FunctionContext`."""

    def __init__(
        self,
        files: WorkspaceFiles,
        path: str,
        options: ProjectOptions,
        target_framework: str,
        solution_properties: dict[str, str],
    ) -> None:
        self.files = files
        self.path = path
        self.kind = project_kind(path) or "other"
        self.options = options
        self.unknown: dict[tuple[str, int, str], UnknownCondition] = {}
        self.statuses: dict[tuple[str, str], ProjectStatus] = {}
        self.item_source: Callable[[str], tuple[list[str], str | None]] = _no_items
        self.metadata: dict[str, str] = {}
        self.condition_directory = ""
        self.current_file = path
        self._properties: dict[str, str] = {}
        self._uncertain: dict[str, str] = {}
        self._fixed: frozenset[str] = frozenset()
        self._seed(target_framework, solution_properties)

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
        return absolute_path(found, self.files.virtual_root) if found is not None else None

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
        return self.item_source(name.lower())

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

    # -- changes -----------------------------------------------------------------------------------------------------

    def set_default(self, name: str, value: str) -> None:
        """Set a property that has no value yet."""
        key = name.lower()
        if not self._properties.get(key, "").strip() and key not in self._uncertain:
            self._properties[key] = value

    def set_property(self, name: str, value: str) -> None:
        """Set a property as the SDK does."""
        self._properties[name.lower()] = value

    def is_fixed(self, name: str) -> bool:
        """Whether project files cannot change a property."""
        key = name.lower()
        return key in self._fixed or key.startswith(_RESERVED)

    def assign(self, name: str, value: str, reason: str | None) -> None:
        """Give a property a value as a project file does; `reason` says why the value is not certain."""
        key = name.lower()
        self._properties[key] = value
        if reason is not None:
            self._uncertain[key] = reason
        else:
            self._uncertain.pop(key, None)

    def doubt(self, name: str, value: str, reason: str) -> None:
        """Note that a property may have another value; it keeps the one it has."""
        key = name.lower()
        if value != self._properties.get(key, ""):
            self._uncertain[key] = reason

    def enter_file(self, path: str) -> str:
        """Make `MSBuildThisFile..` point at a file; returns the file that was current before."""
        previous, self.current_file = self.current_file, path
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

    def _seed(self, target_framework: str, solution_properties: dict[str, str]) -> None:
        absolute = self.files.absolute(self.path)
        directory, _, file_name = absolute.rpartition("/")
        stem, _, extension = file_name.rpartition(".")
        fixed = {"Configuration": self.options.configuration}
        if self.options.platform:
            fixed["Platform"] = self.options.platform
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


def _no_items(name: str) -> tuple[list[str], str | None]:
    """Items do not exist yet in the first pass."""
    return [], None
