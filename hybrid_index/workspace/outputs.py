"""Whether a folder named `bin`, `obj`, `packages` ... holds build output.

Such names hide nothing that git tracks. Where git does not track the files the name alone is no proof either (a
monorepo unpacked from an archive keeps its source in `packages/`), so a look inside the folder, and at what stands
beside it, decides.
"""

from __future__ import annotations

import os

_PROJECT_SUFFIXES = (".csproj", ".fsproj", ".vbproj", ".sqlproj", ".vcxproj", ".wixproj", ".proj")
_OUTPUT_SUFFIXES = (
    ".dll",
    ".exe",
    ".pdb",
    ".nupkg",
    ".class",
    ".jar",
    ".o",
    ".obj",
    ".so",
    ".dylib",
    ".trx",
    ".coverage",
)
_OUTPUT_FOLDERS = frozenset({"debug", "release", "x64", "x86", "anycpu"})
_OUTPUT_FILES = frozenset({"project.assets.json", "project.nuget.cache", "repositories.config"})
_ARTIFACT_FOLDERS = frozenset({"bin", "obj", "publish", "package", "packages", "log", "tmp"})
_ALWAYS = frozenset({".vs", ".idea", "testresults"})
_LOOK_AT = 2_000  # directory entries; output shows itself among the first


def looks_like_output(folder: str) -> bool:
    """Whether a folder whose name suggests build output (see `BUILD_OUTPUT_SEGMENTS`) holds it."""
    parent, name = os.path.split(folder)
    name = name.lower()
    if name in _ALWAYS:
        return True
    files, folders = _entries(folder)
    if any(file in _OUTPUT_FILES or file.endswith(_OUTPUT_SUFFIXES) for file in files):
        return True
    if name == "artifacts":
        return not files and not _ARTIFACT_FOLDERS.isdisjoint(folders)
    if name == "packages":
        return any(_holds_a_package(os.path.join(folder, child)) for child in folders.values())
    if name == "obj" and any(".nuget." in file or file.endswith(".cache") for file in files):
        return True
    return not _OUTPUT_FOLDERS.isdisjoint(folders) or any(
        file.endswith(_PROJECT_SUFFIXES) for file in _entries(parent)[0]
    )


def _holds_a_package(folder: str) -> bool:
    files, _ = _entries(folder)
    return any(file.endswith((".nupkg", ".nuspec", ".nupkg.metadata")) for file in files)


def _entries(folder: str) -> tuple[set[str], dict[str, str]]:
    """Names of the files and of the folders in a folder, in lower case; the folders with their real names."""
    files: set[str] = set()
    folders: dict[str, str] = {}
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_LOOK_AT), entries, strict=False):
                if entry.is_dir(follow_symlinks=False):
                    folders[entry.name.lower()] = entry.name
                else:
                    files.add(entry.name.lower())
    except OSError:
        pass  # what can't be listed is reported where it is walked
    return files, folders
