"""Solution files: `.sln` (text), `.slnx` (XML) and `.slnf` (JSON), read into one shape.

What a solution says is data: projects that are missing are listed, never an error of the whole.
"""

from __future__ import annotations

import json
import posixpath
import re
from dataclasses import dataclass, field

from hybrid_index.projects.documents import Node, UnreadableDocument
from hybrid_index.projects.files import WorkspaceFiles

SOLUTION_EXTENSIONS = (".sln", ".slnx", ".slnf")

_FOLDER_TYPE = "{2150E333-8FDC-42A3-9474-1A3956D46DE8}"
_PROJECT_LINE = re.compile(
    r'\s*Project\("(?P<type>\{[^}"]*\})"\)\s*=\s*"(?P<name>[^"]*)"\s*,\s*"(?P<path>[^"]*)"\s*,\s*"(?P<id>[^"]*)"'
)
_PAIR = re.compile(r"\s*([^=]+?)\s*=\s*(.+?)\s*$")
# Folders nest by parent ids, which a damaged file can chain into a loop; real ones are a handful deep.
_MAX_FOLDER_DEPTH = 32


@dataclass(slots=True)
class SolutionFile:
    """What one solution file lists; paths are workspace-relative, or None where they lead outside."""

    projects: list[tuple[str, str]] = field(default_factory=list)  # (path, folder such as "/src/")
    files: list[tuple[str, str]] = field(default_factory=list)  # (path, folder)
    folders: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    filter_of: str | None = None


def read_solution(files: WorkspaceFiles, path: str) -> SolutionFile:
    """Read a solution file.

    Raises:
        UnreadableDocument: it cannot be read or is none of the three formats.
    """
    if path.lower().endswith(".slnx"):
        return _read_slnx(files, path)
    text = _decoded(files.read(path))
    if path.lower().endswith(".slnf"):
        return _read_slnf(files, path, text)
    return _read_sln(path, text)


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    return content.decode("utf-8-sig", errors="replace")


def _inside(solution: SolutionFile, directory: str, written: str) -> str | None:
    """Workspace-relative form of a path in a solution; one that leads outside is noted."""
    path = posixpath.normpath(posixpath.join(directory, written.strip().replace("\\", "/")))
    if path.startswith(("../", "/")) or path == ".." or path[1:2] == ":":
        solution.outside.append(path)
        return None
    return path


def _read_sln(path: str, text: str) -> SolutionFile:
    if "Project(" not in text and "Microsoft Visual Studio Solution File" not in text:
        raise UnreadableDocument("it does not look like a solution file")
    solution = SolutionFile()
    directory = posixpath.dirname(path)
    names: dict[str, str] = {}
    parents: dict[str, str] = {}
    found: list[tuple[str, str]] = []  # (project path, id)
    loose: list[tuple[str, str]] = []  # (file path, id of the folder)
    section, open_id = "", ""
    for line in text.splitlines():
        stripped = line.strip()
        match = _PROJECT_LINE.match(line)
        if match:
            open_id = match["id"].upper()
            if match["type"].upper() == _FOLDER_TYPE:
                names[open_id] = match["name"]
            elif (inside := _inside(solution, directory, match["path"])) is not None:
                found.append((inside, open_id))
        elif stripped.startswith(("ProjectSection(", "GlobalSection(")):
            section = stripped[stripped.index("(") + 1 :].partition(")")[0]
        elif stripped.startswith(("EndProjectSection", "EndGlobalSection")):
            section = ""
        elif section in ("NestedProjects", "SolutionItems") and (pair := _PAIR.match(line)):
            if section == "NestedProjects":
                parents[pair[1].upper()] = pair[2].upper()
            elif (inside := _inside(solution, directory, pair[1])) is not None:
                loose.append((inside, open_id))
    solution.folders = [_folder_path(each, names, parents) for each in names]
    solution.projects = [(each, _folder_path(parents.get(identity, ""), names, parents)) for each, identity in found]
    solution.files = [(each, _folder_path(identity, names, parents)) for each, identity in loose]
    return solution


def _folder_path(identity: str, names: dict[str, str], parents: dict[str, str]) -> str:
    """Path of a solution folder by id, "" for none."""
    parts: list[str] = []
    while identity in names and len(parts) < _MAX_FOLDER_DEPTH:
        parts.append(names[identity])
        identity = parents.get(identity, "")
    return "/" + "/".join(reversed(parts)) + "/" if parts else ""


def _read_slnx(files: WorkspaceFiles, path: str) -> SolutionFile:
    root = files.document(path)
    if root.tag != "Solution":
        raise UnreadableDocument(f"its root element is '{root.tag}', not 'Solution'")
    solution = SolutionFile()
    directory = posixpath.dirname(path)

    def visit(nodes: list[Node], folder: str) -> None:
        for node in nodes:
            written = node.attributes.get("path", "")
            if node.tag == "Folder":
                name = node.attributes.get("name", "")
                solution.folders.append(name)
                visit(node.children, name)
            elif node.tag in ("Project", "File") and written:
                inside = _inside(solution, directory, written)
                if inside is not None:
                    (solution.projects if node.tag == "Project" else solution.files).append((inside, folder))

    visit(root.children, "")
    return solution


def _read_slnf(files: WorkspaceFiles, path: str, text: str) -> SolutionFile:
    try:
        content = json.loads(text)
        stated = content["solution"]
        full, members = stated["path"], stated["projects"]
        if not isinstance(full, str) or not isinstance(members, list):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadableDocument(
            "it is not a solution filter: 'solution.path' and 'solution.projects' are needed"
        ) from error
    solution = SolutionFile()
    solution.filter_of = _inside(solution, posixpath.dirname(path), full)
    if solution.filter_of is None:
        return solution
    directory = posixpath.dirname(solution.filter_of)
    folders: dict[str, str] = {}
    if files.exists(solution.filter_of) and not solution.filter_of.lower().endswith(".slnf"):
        whole = read_solution(files, solution.filter_of)
        folders = {project.lower(): folder for project, folder in whole.projects}
    for member in members:
        if isinstance(member, str) and (inside := _inside(solution, directory, member)) is not None:
            solution.projects.append((inside, folders.get(inside.lower(), "")))
    return solution
