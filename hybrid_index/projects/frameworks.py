"""Target framework names: their parts, the preprocessor symbols they imply, and which is compatible with which."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

Version = tuple[int, ...]

_SHORT_NAME = re.compile(r"(netstandard|netcoreapp|net|uap)(\d[\d.]*)?(?:-([a-z]+)([\d.]*))?$", re.IGNORECASE)

NET_FRAMEWORK = ".NETFramework"
NET_STANDARD = ".NETStandard"
NET_CORE_APP = ".NETCoreApp"

# The versions for which the SDK defines an `_OR_GREATER` symbol.
_FRAMEWORK_VERSIONS: tuple[Version, ...] = (
    (2, 0), (3, 0), (3, 5), (4, 0), (4, 5), (4, 5, 1), (4, 5, 2), (4, 6), (4, 6, 1), (4, 6, 2), (4, 7), (4, 7, 1),
    (4, 7, 2), (4, 8), (4, 8, 1),
)  # fmt: skip
_STANDARD_VERSIONS: tuple[Version, ...] = (
    (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 0), (2, 1),
)  # fmt: skip
_CORE_VERSIONS: tuple[Version, ...] = ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1))
_WINDOWS_VERSIONS: tuple[Version, ...] = (
    (7, 0), (8, 0), (10, 0, 17763, 0), (10, 0, 18362, 0), (10, 0, 19041, 0), (10, 0, 20348, 0), (10, 0, 22000, 0),
    (10, 0, 22621, 0), (10, 0, 26100, 0),
)  # fmt: skip

# The highest .NET Standard that each platform implements: (platform version, standard version), ascending.
_STANDARD_BY_CORE: tuple[tuple[Version, Version], ...] = (((1, 0), (1, 6)), ((2, 0), (2, 0)), ((3, 0), (2, 1)))
_STANDARD_BY_FRAMEWORK: tuple[tuple[Version, Version], ...] = (
    ((4, 5), (1, 1)), ((4, 5, 1), (1, 2)), ((4, 6), (1, 3)), ((4, 6, 1), (2, 0)),
)  # fmt: skip

# C# version that each .NET version brings by default; .NET Framework and older .NET Standard stay at 7.3.
_CSHARP_BY_CORE: tuple[tuple[Version, str], ...] = (
    ((3, 0), "8.0"), ((5, 0), "9.0"), ((6, 0), "10.0"), ((7, 0), "11.0"), ((8, 0), "12.0"), ((9, 0), "13.0"),
    ((10, 0), "14.0"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Framework:
    """A target framework name taken apart."""

    identifier: str  # ".NETCoreApp", ".NETFramework", ".NETStandard" or "UAP"
    version: Version
    platform: str = ""
    platform_version: Version = ()

    @property
    def version_text(self) -> str:
        """The version with at least two parts: "8.0", "4.7.2"."""
        return ".".join(map(str, self.version))

    @property
    def moniker(self) -> str:
        """The long name, such as ".NETCoreApp,Version=v8.0"."""
        return f"{self.identifier},Version=v{self.version_text}"


@lru_cache(maxsize=512)
def parse_framework(short_name: str) -> Framework | None:
    """Take a short name such as `net8.0-windows` apart; None where it is not one."""
    match = _SHORT_NAME.match(short_name.strip())
    if match is None or len(short_name) > 80:
        return None
    family, digits, platform, platform_digits = match.groups()
    version = _version_of(family.lower(), digits or "")
    if version is None:
        return None
    identifier = {"netstandard": NET_STANDARD, "netcoreapp": NET_CORE_APP, "uap": "UAP"}.get(family.lower())
    if identifier is None:
        identifier = NET_CORE_APP if version >= (5, 0) else NET_FRAMEWORK
    return Framework(identifier, version, (platform or "").lower(), _numbers(platform_digits or ""))


def framework_of_version(target_framework_version: str) -> str:
    """Short name for the `TargetFrameworkVersion` of a project in the old format: "v4.7.2" is "net472"."""
    digits = target_framework_version.strip().lstrip("vV")
    return f"net{digits.replace('.', '')}" if re.fullmatch(r"\d(\.\d){1,2}", digits) else ""


def implied_symbols(framework: Framework) -> tuple[str, ...]:
    """Preprocessor symbols that the SDK defines for a target framework."""
    symbols: list[str] = []
    if framework.identifier == NET_FRAMEWORK:
        symbols += ["NETFRAMEWORK", "NET" + _joined(framework.version, "")]
        symbols += _or_greater("NET", _FRAMEWORK_VERSIONS, framework.version, "")
    elif framework.identifier == NET_STANDARD:
        symbols += ["NETSTANDARD", "NETSTANDARD" + _joined(framework.version, "_")]
        symbols += _or_greater("NETSTANDARD", _STANDARD_VERSIONS, framework.version, "_")
    elif framework.identifier == NET_CORE_APP:
        symbols += ["NETCOREAPP", *_or_greater("NETCOREAPP", _CORE_VERSIONS, framework.version, "_")]
        if framework.version >= (5, 0):
            modern = tuple((major, 0) for major in range(5, framework.version[0] + 1))
            symbols += ["NET", "NET" + _joined(framework.version, "_")]
            symbols += _or_greater("NET", modern, framework.version, "_")
        else:
            symbols.append("NETCOREAPP" + _joined(framework.version, "_"))
        symbols += _platform_symbols(framework)
    return tuple(symbols)


def is_compatible(target: Framework, candidate: Framework) -> bool:
    """Whether a project for `target` can use what was built for `candidate`."""
    if candidate.platform and candidate.platform != target.platform:
        return False
    if candidate.platform and target.platform_version < candidate.platform_version:
        return False
    if target.identifier == candidate.identifier:
        return target.version >= candidate.version
    if candidate.identifier != NET_STANDARD:
        return False
    table = {NET_CORE_APP: _STANDARD_BY_CORE, NET_FRAMEWORK: _STANDARD_BY_FRAMEWORK}.get(target.identifier, ())
    supported = max((standard for version, standard in table if version <= target.version), default=(0, 0))
    return candidate.version <= supported


def default_csharp_version(framework: Framework) -> str:
    """The C# version the compiler uses for a target framework unless told otherwise."""
    if framework.identifier == NET_STANDARD:
        return "8.0" if framework.version >= (2, 1) else "7.3"
    if framework.identifier != NET_CORE_APP:
        return "7.3"
    return next((name for version, name in reversed(_CSHARP_BY_CORE) if version <= framework.version), "7.3")


def _version_of(family: str, digits: str) -> Version | None:
    if "." not in digits and family == "net" and len(digits) >= 2:
        # "net472": one digit a part; "net10" alone would be .NET 1.0, which is how NuGet reads it too.
        return tuple(map(int, digits)) if len(digits) <= 4 else None
    version = _numbers(digits)
    if not version:
        return None
    return version if len(version) > 1 else (*version, 0)


def _numbers(digits: str) -> Version:
    parts = [part for part in digits.split(".") if part]
    return tuple(int(part) for part in parts if len(part) <= 9)


def _joined(version: Version, separator: str) -> str:
    return separator.join(map(str, version))


def _or_greater(prefix: str, known: tuple[Version, ...], version: Version, separator: str) -> list[str]:
    return [f"{prefix}{_joined(each, separator)}_OR_GREATER" for each in known if each <= version]


def _platform_symbols(framework: Framework) -> list[str]:
    if not framework.platform:
        return []
    name = framework.platform.upper()
    version = framework.platform_version
    if name == "WINDOWS" and not version:
        version = (7, 0)
    symbols = [name]
    if version:  # other platforms take their version from an installed workload, which is not read
        padded = version if name != "WINDOWS" or version[0] < 10 else (*version, 0, 0, 0)[:4]
        symbols.append(name + _joined(padded, "_"))
        if name == "WINDOWS":
            symbols += _or_greater(name, _WINDOWS_VERSIONS, padded, "_")
    return symbols
