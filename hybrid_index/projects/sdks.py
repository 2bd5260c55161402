"""What the project SDKs add on their own: default items, implicit usings, output types.

The SDK is not needed to read a project, but what it contributes is; these tables follow its published documentation.
"""

from __future__ import annotations

from dataclasses import dataclass

_BASE_USINGS = (
    "System",
    "System.Collections.Generic",
    "System.IO",
    "System.Linq",
    "System.Net.Http",
    "System.Threading",
    "System.Threading.Tasks",
)
_HOSTING_USINGS = (
    "Microsoft.Extensions.Configuration",
    "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting",
    "Microsoft.Extensions.Logging",
)
_WEB_USINGS = (
    "System.Net.Http.Json",
    "Microsoft.AspNetCore.Builder",
    "Microsoft.AspNetCore.Hosting",
    "Microsoft.AspNetCore.Http",
    "Microsoft.AspNetCore.Routing",
    *_HOSTING_USINGS,
)
_MSTEST_USINGS = ("Microsoft.VisualStudio.TestTools.UnitTesting",)
_ASPIRE_USINGS = ("Aspire.Hosting", "Aspire.Hosting.ApplicationModel")


@dataclass(frozen=True, slots=True)
class SdkFacts:
    """What one SDK contributes."""

    usings: tuple[str, ...] = ()  # with ImplicitUsings enabled
    output_type: str = ""  # set before the project's own content
    compiles: bool = True  # False: default items and compiler settings do not apply
    is_test: bool = False


_DOTNET = SdkFacts(_BASE_USINGS)
_KNOWN_SDKS: dict[str, SdkFacts] = {
    "microsoft.net.sdk": _DOTNET,
    "microsoft.net.sdk.web": SdkFacts((*_BASE_USINGS, *_WEB_USINGS), "Exe"),
    "microsoft.net.sdk.worker": SdkFacts((*_BASE_USINGS, *_HOSTING_USINGS), "Exe"),
    "microsoft.net.sdk.razor": _DOTNET,
    "microsoft.net.sdk.blazorwebassembly": SdkFacts(_BASE_USINGS, "Exe"),
    "microsoft.net.sdk.windowsdesktop": _DOTNET,
    "aspire.apphost.sdk": SdkFacts((*_BASE_USINGS, *_ASPIRE_USINGS), "Exe"),
    "mstest.sdk": SdkFacts((*_BASE_USINGS, *_MSTEST_USINGS), "Exe", is_test=True),
    "microsoft.build.traversal": SdkFacts(compiles=False),
    "microsoft.build.notargets": SdkFacts(compiles=False),
    "microsoft.build.sql": SdkFacts(compiles=False),
    "microsoft.visualstudio.javascript.sdk": SdkFacts(compiles=False),
    "microsoft.docker.sdk": SdkFacts(compiles=False),
    "wixtoolset.sdk": SdkFacts(compiles=False),
}

# Packages whose build files add global usings when ImplicitUsings is enabled.
_PACKAGE_USINGS: dict[str, tuple[str, ...]] = {
    "mstest": _MSTEST_USINGS,
    "mstest.testframework": _MSTEST_USINGS,
    "aspire.hosting.apphost": _ASPIRE_USINGS,
    "tunit": ("TUnit.Core", "TUnit.Assertions", "TUnit.Assertions.Extensions"),
}

# A reference to one of these makes a project a test project, unless IsTestProject says otherwise.
_TEST_PACKAGES = frozenset(
    {
        "microsoft.net.test.sdk",
        "xunit",
        "xunit.v3",
        "xunit.v3.mtp-v2",
        "xunit.core",
        "xunit.runner.visualstudio",
        "nunit",
        "nunit3testadapter",
        "mstest",
        "mstest.testframework",
        "mstest.testadapter",
        "tunit",
        "tunit.engine",
        "fixie",
        "expecto",
    }
)

_KINDS = {
    ".csproj": "csharp",
    ".vbproj": "vb",
    ".fsproj": "fsharp",
    ".shproj": "shared",
    ".projitems": "shared",
    ".sqlproj": "sql",
}
_SOURCE_EXTENSIONS = {"csharp": ".cs", "vb": ".vb", "fsharp": ".fs"}
_LANGUAGES = {"csharp": "C#", "vb": "VB", "fsharp": "F#"}


def sdk_facts(name: str) -> SdkFacts | None:
    """Facts of an SDK by name, with or without a version; None where it is not known."""
    return _KNOWN_SDKS.get(name.split("/")[0].strip().lower())


def package_usings(package: str) -> tuple[str, ...]:
    """Namespaces that a package imports into every file once ImplicitUsings is enabled."""
    return _PACKAGE_USINGS.get(package.lower(), ())


def is_test_package(package: str) -> bool:
    """Whether a reference to the package marks a test project."""
    return package.lower() in _TEST_PACKAGES


def project_kind(path: str) -> str | None:
    """Kind of a project file by its name, None where it is not a project file."""
    extension = "." + path.rpartition(".")[2].lower()
    if extension in _KINDS:
        return _KINDS[extension] if extension != ".projitems" else None
    return "other" if extension.endswith("proj") else None


def source_extension(kind: str) -> str:
    """Extension of the source files of a kind of project, "" where it compiles nothing."""
    return _SOURCE_EXTENSIONS.get(kind, "")


def language_name(kind: str) -> str:
    """Value of `$(Language)`."""
    return _LANGUAGES.get(kind, "")
