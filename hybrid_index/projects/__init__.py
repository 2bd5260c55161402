"""The .NET project model, read from project and solution files without the SDK."""

from hybrid_index.projects.loading import load_projects, read_model
from hybrid_index.projects.model import ProjectModel, is_project_file
from hybrid_index.projects.options import ProjectOptions
from hybrid_index.projects.values import (
    CompileItem,
    CompileSet,
    GlobalUsing,
    PackageReference,
    Project,
    ProjectReference,
    ProjectStatus,
    Solution,
    SolutionFolder,
    UnknownCondition,
)

__all__ = [
    "CompileItem",
    "CompileSet",
    "GlobalUsing",
    "PackageReference",
    "Project",
    "ProjectModel",
    "ProjectOptions",
    "ProjectReference",
    "ProjectStatus",
    "Solution",
    "SolutionFolder",
    "UnknownCondition",
    "is_project_file",
    "load_projects",
    "read_model",
]
