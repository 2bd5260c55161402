"""Which build the project files are read for: the few inputs that a project file cannot state itself."""

from __future__ import annotations

import sys
from dataclasses import dataclass


def host_platform() -> str:
    """Name the operating system of this machine as `[MSBuild]::IsOSPlatform` does."""
    if sys.platform == "win32":
        return "Windows"
    return "OSX" if sys.platform == "darwin" else "Linux"


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """The build that conditions are evaluated for; every field is what a developer's own build would use."""

    configuration: str = "Debug"
    platform: str = ""  # empty: the default that each project sets for itself
    operating_system: str = ""  # "Windows", "Linux" or "OSX"; empty means this machine's

    def __post_init__(self) -> None:
        """Fill in this machine's operating system."""
        if not self.operating_system:
            object.__setattr__(self, "operating_system", host_platform())

    @property
    def os_property(self) -> str:
        """The value of `$(OS)`."""
        return "Windows_NT" if self.operating_system == "Windows" else "Unix"
