"""Lays project files out in a temporary folder and loads them, for the tests of `hybrid_index.projects`."""

from __future__ import annotations

from pathlib import Path

from hybrid_index.projects import Project, ProjectModel, ProjectOptions, load_projects

LINUX = ProjectOptions(operating_system="Linux")


def write(root: Path, files: dict[str, str | bytes]) -> list[str]:
    """Write files below `root` and return their paths."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return list(files)


def load(root: Path, files: dict[str, str | bytes], options: ProjectOptions = LINUX) -> ProjectModel:
    """Write files and load the model."""
    return load_projects(root, write(root, files), options)


def sdk_project(content: str = "", sdk: str = "Microsoft.NET.Sdk", framework: str = "net8.0") -> str:
    """An SDK-style project file."""
    target = f"<PropertyGroup><TargetFramework>{framework}</TargetFramework></PropertyGroup>" if framework else ""
    return f'<Project Sdk="{sdk}">{target}{content}</Project>'


def only(model: ProjectModel) -> Project:
    """The one project of a model."""
    assert len(model.projects) == 1, [project.path for project in model.projects]
    return model.projects[0]


def packages(project: Project) -> dict[str, str | None]:
    """Versions by package name."""
    return {package.name: package.version for package in project.package_references}


def usings(project: Project) -> list[str]:
    """Namespaces of plain global usings."""
    return [each.namespace for each in project.global_usings if not each.is_static and not each.alias]
