"""The second pass over a project: items, with every property at its final value.

Files are not listed: a compile list stays a sequence of patterns (`CompileItem`), and membership of a file is decided
by the last pattern that speaks about it. Other items are kept by value.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hybrid_index.projects.documents import Node
from hybrid_index.projects.evaluation import Deferred, Evaluation
from hybrid_index.projects.expressions import expand, unescape
from hybrid_index.projects.functions import absolute_path
from hybrid_index.projects.globs import is_glob
from hybrid_index.projects.values import CompileItem

# What a file taken in from elsewhere may be, apart from source code, to count as part of the project. None and
# AdditionalFiles are left out: a readme packed by every project would otherwise belong to all of them.
_LINKED_TYPES = frozenset(
    """
    content embeddedresource resource page applicationdefinition avaloniaresource avaloniaxaml mauixaml protobuf
    """.split()
)
_ATTRIBUTES = frozenset(
    "include exclude remove update condition label keepmetadata removemetadata keepduplicates matchonmetadata".split()
)
_DEFAULT_EXCLUDES = ("**/*.user", "**/*.*proj", "**/*.sln", "**/*.slnx", "**/*.vssscc", "**/.DS_Store")
_REFERENCE = "@("
_BY_SDK = {"origin": "sdk"}


@dataclass(frozen=True, slots=True)
class Item:
    """One item that is kept by value; its metadata is shared and never changed."""

    identity: str
    metadata: dict[str, str] = field(default_factory=dict)
    excludes: tuple[str, ...] = ()


# Items of elements that mean the same in every project, shared by all projects of one load.
LiteralItems = dict[Node, tuple[Item, ...]]


class ItemPass:
    """Collects the items of one evaluation."""

    def __init__(self, evaluation: Evaluation, literals: LiteralItems) -> None:
        self._evaluation = evaluation
        self._literals = literals
        self.items: dict[str, list[Item]] = {}
        self.compile: list[CompileItem] = []
        self.linked: list[str] = []
        evaluation.item_source = self._identities

    def run(self) -> None:
        """Evaluate the default items, then every ItemGroup in order."""
        self._default_items()
        for deferred in self._evaluation.deferred:
            self._run(deferred)

    def of(self, item_type: str) -> list[Item]:
        """Items of a type, in order."""
        return self.items.get(item_type.lower(), [])

    def _run(self, deferred: Deferred) -> None:
        previous = self._evaluation.enter_file(deferred.path)
        if deferred.node.tag == "Choose":
            self._choose(deferred.node)
        else:
            self._group(deferred.node)
        self._evaluation.enter_file(previous)

    def _choose(self, node: Node) -> None:
        branch = self._evaluation.chosen_branch(node)
        for child in branch.children if branch is not None else ():
            if child.tag == "ItemGroup":
                self._group(child)
            elif child.tag == "Choose":
                self._choose(child)

    def _group(self, node: Node) -> None:
        if not node.children or not self._evaluation.holds(node):
            return
        for child in node.children:
            if self._evaluation.holds(child):
                self._element(child)

    def _element(self, node: Node) -> None:
        item_type = node.tag.lower()
        if item_type == "compile":
            self._compile_element(node)
        elif item_type in _LINKED_TYPES:
            self._linked_element(node)
        elif "include" in node.attributes:
            self._include(item_type, node)
        elif "remove" in node.attributes:
            self._remove(item_type, node)
        elif "update" in node.attributes:
            self._update(item_type, node)

    # -- default items -----------------------------------------------------------------------------------------------

    def _default_items(self) -> None:
        evaluation = self._evaluation
        facts = evaluation.facts
        extension = evaluation.value("DefaultLanguageSourceExtension")
        if facts is None or not facts.compiles:
            return
        for namespace in facts.usings if evaluation.value("ImplicitUsings").lower() in ("enable", "true") else ():
            self._default_using(namespace)
        switched_on = evaluation.is_true("EnableDefaultItems") and evaluation.is_true("EnableDefaultCompileItems")
        if not switched_on or evaluation.kind not in ("csharp", "vb"):
            return
        stated = [evaluation.value("DefaultItemExcludes"), evaluation.value("DefaultItemExcludesInProjectFolder")]
        stated.append(evaluation.value("DefaultExcludesInProjectFolder"))
        outputs = [f"{evaluation.value(name)}/**" for name in ("BaseOutputPath", "BaseIntermediateOutputPath")]
        excludes = [*";".join(stated).split(";"), *outputs, *_DEFAULT_EXCLUDES, "**/.*/**"]
        self._add_compile("include", f"**/*{extension}", self._patterns(excludes), None)

    def _default_using(self, namespace: str) -> None:
        evaluation = self._evaluation
        if namespace == "System.Net.Http" and evaluation.value("TargetFrameworkIdentifier") == ".NETFramework":
            return
        desktop = (evaluation.is_true("UseWPF"), evaluation.is_true("UseWindowsForms"))
        if desktop[0] and namespace in ("System.IO", "System.Net.Http"):
            return
        usings = self.items.setdefault("using", [])
        usings.append(Item(namespace, _BY_SDK))
        if desktop[1] and namespace == "System":
            usings += [Item(each, _BY_SDK) for each in ("System.Drawing", "System.Windows.Forms")]

    # -- files -------------------------------------------------------------------------------------------------------

    def _compile_element(self, node: Node) -> None:
        excludes = self._patterns(self._list(node, "exclude"))
        if "include" in node.attributes:
            for pattern, own_excludes in self._file_specs(node, "include"):
                self._add_compile("include", pattern, (*excludes, *own_excludes), self._link(node, pattern))
        elif node.attributes.get("remove", "").replace(" ", "").lower() == "@(compile)":
            self.compile.clear()
        elif "remove" in node.attributes:
            for pattern, _ in self._file_specs(node, "remove"):
                self._add_compile("remove", pattern, (), None)

    def _add_compile(self, action: str, written: str, excludes: tuple[str, ...], link: str | None) -> None:
        pattern = self._pattern(written)
        if pattern is None:
            if action == "include":
                message = f"The source files '{written}' lie outside the workspace and are left out."
                self._evaluation.remark("warning", message)
            return
        self.compile.append(CompileItem(action, pattern, excludes, link))

    def _linked_element(self, node: Node) -> None:
        """Keep what comes from outside the project's folder; the rest belongs to the project anyway."""
        if "include" not in node.attributes:
            return
        directory = self._evaluation.path.rpartition("/")[0]
        for written, _ in self._file_specs(node, "include"):
            pattern = self._pattern(written)
            if pattern and directory and not pattern.startswith(directory + "/"):
                self.linked.append(pattern)

    def _file_specs(self, node: Node, attribute: str) -> list[tuple[str, tuple[str, ...]]]:
        """Patterns of an attribute; a reference to items kept by value brings their excludes along."""
        specs: list[tuple[str, tuple[str, ...]]] = []
        for written in node.attributes.get(attribute, "").split(";"):
            name = written.strip()
            if name.startswith(_REFERENCE) and name.endswith(")") and name[2:-1].strip().lower() in self.items:
                specs += [(item.identity, item.excludes) for item in self.of(name[2:-1].strip())]
            elif name:
                specs += [(each, ()) for each in self._expanded_list(node, name)]
        return specs

    def _link(self, node: Node, pattern: str) -> str | None:
        written = node.attributes.get("link") or next(
            (child.text for child in node.children if child.tag == "Link"), ""
        )
        if not written:
            return None
        stem, dot, extension = pattern.replace("\\", "/").rpartition("/")[2].rpartition(".")
        if not is_glob(pattern):
            self._evaluation.metadata = {
                "filename": stem if dot else extension,
                "extension": dot + extension if dot else "",
            }
        notes: list[str] = []
        link = expand(written, self._evaluation, notes).replace("\\", "/")
        self._evaluation.metadata = {}
        return None if notes else link

    def _pattern(self, written: str) -> str | None:
        """Workspace-relative form of a path or glob, None where it leads outside."""
        absolute = absolute_path(written, self._evaluation.project_directory)
        return self._evaluation.files.relative(absolute)

    def _patterns(self, written: list[str]) -> tuple[str, ...]:
        found = (self._pattern(each.strip()) for each in written if each.strip())
        return tuple(dict.fromkeys(each for each in found if each))

    # -- items by value ----------------------------------------------------------------------------------------------

    def _include(self, item_type: str, node: Node) -> None:
        items = self.items.setdefault(item_type, [])
        if node.is_literal:
            items += self._literal_items(node)
            return
        left_out = self._list(node, "exclude")
        excluded = {each.lower() for each in left_out}
        excludes = self._patterns(left_out)
        metadata = self._metadata(node)
        items += [
            Item(identity, metadata, excludes)
            for identity in self._list(node, "include")
            if identity.lower() not in excluded
        ]

    def _literal_items(self, node: Node) -> tuple[Item, ...]:
        """Items of an element that means the same in every project: worked out once a load."""
        found = self._literals.get(node)
        if found is None:
            metadata = {name: written.strip() for name, written in node.attributes.items() if name not in _ATTRIBUTES}
            names = (part.strip() for part in node.attributes["include"].split(";"))
            found = self._literals[node] = tuple(Item(name, metadata) for name in names if name)
        return found

    def _remove(self, item_type: str, node: Node) -> None:
        removed = {each.lower() for each in self._list(node, "remove")}
        kept = [item for item in self.of(item_type) if item.identity.lower() not in removed]
        self.items[item_type] = kept

    def _update(self, item_type: str, node: Node) -> None:
        updated = {each.lower() for each in self._list(node, "update")}
        metadata = self._metadata(node)
        items = self.of(item_type)
        for index, item in enumerate(items):
            if item.identity.lower() in updated:
                items[index] = Item(item.identity, item.metadata | metadata, item.excludes)

    def _identities(self, item_type: str) -> tuple[list[str], str | None]:
        """What `@(type)` stands for at this point."""
        if item_type == "compile" or item_type in _LINKED_TYPES:
            return [], f"@({item_type}) is a list of files, which is not expanded"
        return [item.identity for item in self.items.get(item_type, ())], None

    def _list(self, node: Node, attribute: str) -> list[str]:
        return self._expanded_list(node, node.attributes.get(attribute, ""))

    def _expanded_list(self, node: Node, written: str) -> list[str]:
        if not written:
            return []
        notes: list[str] = []
        text = expand(written, self._evaluation, notes)
        if notes:
            self._evaluation.note_unknown(self._evaluation.current_file, node.line, written, notes[0], node.tag)
            return []
        return [unescape(part.strip()) for part in text.split(";") if part.strip()]

    def _metadata(self, node: Node) -> dict[str, str]:
        metadata: dict[str, str] = {}
        for name, written in node.attributes.items():
            if name not in _ATTRIBUTES:
                self._add_metadata(metadata, name, written)
        for child in node.children:
            if self._evaluation.holds(child):
                self._add_metadata(metadata, child.tag.lower(), child.text)
        return metadata

    def _add_metadata(self, metadata: dict[str, str], name: str, written: str) -> None:
        notes: list[str] = []
        value = unescape(expand(written, self._evaluation, notes)).strip()
        if not notes:
            metadata[name] = value
