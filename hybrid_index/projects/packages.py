"""Which packages a project asks for and in which version: its own, the central one, or an override."""

from __future__ import annotations

from collections.abc import Iterator

from hybrid_index.projects.documents import UnreadableDocument
from hybrid_index.projects.evaluation import Evaluation
from hybrid_index.projects.files import WorkspaceFiles
from hybrid_index.projects.items import ItemPass

PackageRow = tuple[str, str | None, str]  # name, version, source


def read_packages(files: WorkspaceFiles, evaluation: Evaluation, items: ItemPass) -> list[PackageRow]:
    """Packages of one evaluation, each once, in order of appearance."""
    rows: dict[str, PackageRow] = {}
    central = evaluation.is_true("ManagePackageVersionsCentrally")
    versions = _central_versions(items) if central else {}
    for item in items.of("packagereference"):
        name, stated = item.identity, item.metadata.get("version")
        override = item.metadata.get("versionoverride")
        if central and override:
            rows[name.lower()] = (name, override, "override")
        elif stated or not central:
            rows[name.lower()] = (name, stated or None, "project")
        else:
            rows[name.lower()] = (name, versions.get(name.lower()), "central")
    if central:
        for item in items.of("globalpackagereference"):
            version = item.metadata.get("version") or versions.get(item.identity.lower())
            rows.setdefault(item.identity.lower(), (item.identity, version, "global"))
    if evaluation.facts is None:
        for name, version in _packages_config(files, evaluation):
            rows.setdefault(name.lower(), (name, version, "packages.config"))
    return list(rows.values())


def _central_versions(items: ItemPass) -> dict[str, str]:
    return {
        item.identity.lower(): item.metadata["version"]
        for item in items.of("packageversion")
        if item.metadata.get("version")
    }


def _packages_config(files: WorkspaceFiles, evaluation: Evaluation) -> Iterator[tuple[str, str | None]]:
    """Packages of the file that projects in the old format keep beside them."""
    directory = evaluation.path.rpartition("/")[0]
    path = f"{directory}/packages.config" if directory else "packages.config"
    if not files.is_scanned(path):
        return
    try:
        root = files.document(path)
    except UnreadableDocument as error:
        evaluation.remark("warning", f"The packages were not read: {error}.", path)
        return
    for node in root.children:
        if node.tag == "package" and node.attributes.get("id"):
            yield node.attributes["id"], node.attributes.get("version") or None
