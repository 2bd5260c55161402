"""Every declaration of a C# file, from its syntax tree.

Documentation ids have the compiler's form with parameter types as written: keywords become their System names
(`int` -> `System.Int32`, `int?` -> `System.Nullable{System.Int32}`), type parameters become their position (`` `0``,
```` ``0 ````), everything else
keeps the words of the source (`Order`, not `Shop.Order`; `Order?` with its question mark, since only the declaration of
`Order` tells whether that is another type).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tree_sitter import Node, Tree

from hybrid_index.languages.csharp.syntax import EXTENSION_BLOCK_NAME, ParsedSource

KEYWORD_TYPES = {
    "bool": "System.Boolean",
    "byte": "System.Byte",
    "sbyte": "System.SByte",
    "char": "System.Char",
    "decimal": "System.Decimal",
    "double": "System.Double",
    "float": "System.Single",
    "int": "System.Int32",
    "uint": "System.UInt32",
    "nint": "System.IntPtr",
    "nuint": "System.UIntPtr",
    "long": "System.Int64",
    "ulong": "System.UInt64",
    "short": "System.Int16",
    "ushort": "System.UInt16",
    "object": "System.Object",
    "string": "System.String",
    "void": "System.Void",
    "dynamic": "System.Object",
}
_VALUE_KEYWORDS = frozenset(KEYWORD_TYPES) - {"object", "string", "void", "dynamic"}

_TYPE_NODES = {
    "class_declaration": "class",
    "struct_declaration": "struct",
    "interface_declaration": "interface",
    "record_declaration": "record",
    "enum_declaration": "enum",
}
TYPE_KINDS = frozenset(["class", "struct", "interface", "record", "record struct", "enum", "delegate"])
_TRANSPARENT = frozenset(
    ["declaration_list", "preproc_if", "preproc_elif", "preproc_else", "ERROR", "enum_member_declaration_list"]
)


@dataclass(slots=True)
class Parameter:
    """A parameter as the syntax tree gives it."""

    name: str
    start: int  # byte offset of the name
    type: Node | None
    modifiers: tuple[str, ...] = ()
    default: Node | None = None
    attributes: tuple[Node, ...] = ()
    node: Node | None = None


@dataclass(slots=True)
class Declaration:
    """A declaration with the nodes that matter; `index` is its place in the file's list."""

    index: int
    kind: str
    name: str
    name_node: Node
    node: Node
    parent: Declaration | None
    namespace: str
    modifiers: tuple[str, ...] = ()
    type_parameters: tuple[str, ...] = ()
    type: Node | None = None
    parameters: tuple[Parameter, ...] = ()
    body: Node | None = None
    explicit_interface: Node | None = None
    bases: Node | None = None
    primary: bool = False  # a constructor or property that a type's parameter list implies
    initializer: Node | None = None
    attributes: tuple[Node, ...] = ()
    is_extension: bool = field(default=False)  # an extension block (C# 14)
    inactive: bool = False  # declared in a branch that the defines switch off


class DeclarationWalk:
    """Collects the declarations of one tree, without entering bodies."""

    def __init__(self, tree: Tree, text: bytes) -> None:
        self.text = text
        self.items: list[Declaration] = []
        self.usings: list[tuple[Node, str]] = []  # (directive, namespace it stands in)
        self.global_attributes: list[Node] = []
        self.statements: list[Node] = []  # top-level statements
        self._walk(tree.root_node, None, "")

    def _text(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _name(self, node: Node) -> str:
        text = self._text(node)
        return text[1:] if text.startswith("@") else text

    def _walk(self, container: Node, parent: Declaration | None, namespace: str) -> None:
        for node in container.children:
            kind = node.type
            if kind == "file_scoped_namespace_declaration":
                namespace = self._namespace(node, namespace)
                # Some grammar versions nest the types, others list them as siblings.
                self._walk(node, parent, namespace)
            elif kind == "namespace_declaration":
                inner = self._namespace(node, namespace)
                body = node.child_by_field_name("body")
                if body is not None:
                    self._walk(body, parent, inner)
            elif kind in _TRANSPARENT:
                self._walk(node, parent, namespace)
            elif kind == "using_directive":
                self.usings.append((node, namespace))
            elif kind == "global_attribute":
                self.global_attributes.append(node)
            elif kind == "global_statement":
                self.statements.append(node)
            elif kind.endswith("_declaration"):
                self._declaration(node, kind, parent, namespace)

    def _namespace(self, node: Node, outer: str) -> str:
        name = node.child_by_field_name("name")
        text = re.sub(r"\s|@", "", self._text(name)) if name is not None else ""
        return f"{outer}.{text}" if outer and text else text or outer

    def _declaration(self, node: Node, kind: str, parent: Declaration | None, namespace: str) -> None:
        if kind in _TYPE_NODES:
            self._type(node, _TYPE_NODES[kind], parent, namespace)
        elif kind in ("field_declaration", "event_field_declaration"):
            self._fields(node, kind, parent, namespace)
        elif kind in _MEMBERS:
            self._member(node, _MEMBERS[kind], parent, namespace)

    def _add(
        self, kind: str, name_node: Node, node: Node, parent: Declaration | None, namespace: str, name: str = ""
    ) -> Declaration:
        item = Declaration(len(self.items), kind, name or self._name(name_node), name_node, node, parent, namespace)
        self.items.append(item)
        return item

    def _type(self, node: Node, kind: str, parent: Declaration | None, namespace: str) -> None:
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        if kind == "record" and any(child.type == "struct" for child in node.children):
            kind = "record struct"
        item = self._add(kind, name_node, node, parent, namespace)
        self._fill(item)
        if kind == "struct" and item.name == EXTENSION_BLOCK_NAME:
            item.is_extension = True
        elif item.parameters or any(child.type == "parameter_list" for child in node.children):
            self._primary(item, namespace)
        if item.body is not None:
            self._walk(item.body, item, namespace)

    def _primary(self, item: Declaration, namespace: str) -> None:
        """The constructor and, for records, the properties that a parameter list on a type declares."""
        constructor = self._add("constructor", item.name_node, item.node, item, namespace)
        constructor.primary = True
        constructor.parameters = item.parameters
        constructor.modifiers = ("public",)
        if not item.kind.startswith("record"):
            return
        for parameter in item.parameters:
            name_node = parameter.node.child_by_field_name("name") if parameter.node is not None else None
            if name_node is None or parameter.node is None:
                continue
            prop = self._add("property", name_node, parameter.node, item, namespace)
            prop.primary, prop.type, prop.modifiers = True, parameter.type, ("public",)

    def _fields(self, node: Node, kind: str, parent: Declaration | None, namespace: str) -> None:
        modifiers, attributes = self._marks(node)
        what = "event" if kind.startswith("event") else "const" if "const" in modifiers else "field"
        for declaration in node.children:
            if declaration.type != "variable_declaration":
                continue
            type_node = declaration.child_by_field_name("type")
            for declarator in declaration.children:
                if declarator.type != "variable_declarator":
                    continue
                name_node = declarator.child_by_field_name("name")
                if name_node is None:
                    continue
                item = self._add(what, name_node, node, parent, namespace)
                item.modifiers, item.type, item.attributes = modifiers, type_node, attributes
                item.initializer = declarator

    def _member(self, node: Node, kind: str, parent: Declaration | None, namespace: str) -> None:
        name_node = node.child_by_field_name("name")
        name = ""
        if kind == "indexer":
            name_node, name = _first(node, "this"), "this"
        elif kind == "conversion":
            name_node, name = _first(node, "operator"), "operator"
        elif kind == "operator":
            keyword = _first(node, "operator")
            if keyword is None:
                return
            name_node = keyword.next_sibling
            if name_node is not None and name_node.type == "checked":
                name_node = name_node.next_sibling
        if name_node is None:
            return
        self._fill(self._add(kind, name_node, node, parent, namespace, name))

    def _marks(self, node: Node) -> tuple[tuple[str, ...], tuple[Node, ...]]:
        modifiers, attributes = [], []
        for child in node.children:
            if child.type == "modifier":
                modifiers.append(self._text(child))
            elif child.type == "attribute_list":
                attributes.append(child)
        return tuple(modifiers), tuple(attributes)

    def _fill(self, item: Declaration) -> None:
        node = item.node
        modifiers: list[str] = []
        attributes: list[Node] = []
        for child in node.children:
            kind = child.type
            if kind == "modifier":
                modifiers.append(self._text(child))
            elif kind == "attribute_list":
                attributes.append(child)
            elif kind == "type_parameter_list":
                item.type_parameters = tuple(
                    self._name(name)
                    for parameter in child.children
                    if parameter.type == "type_parameter"
                    and (name := parameter.child_by_field_name("name")) is not None
                )
            elif kind in ("parameter_list", "bracketed_parameter_list"):
                item.parameters = self.parameters(child)
            elif kind == "base_list":
                item.bases = child
            elif kind == "explicit_interface_specifier":
                item.explicit_interface = child
            elif kind in ("constructor_initializer",):
                item.initializer = child
        item.modifiers, item.attributes = tuple(modifiers), tuple(attributes)
        item.type = node.child_by_field_name("returns") or node.child_by_field_name("type")
        item.body = (
            node.child_by_field_name("body")
            or node.child_by_field_name("accessors")
            or node.child_by_field_name("value")
        )

    def parameters(self, node: Node) -> tuple[Parameter, ...]:
        """The parameters of a parameter list, a `params` one included."""
        out: list[Parameter] = []
        children = node.children
        for position, child in enumerate(children):
            if child.type == "parameter":
                name = child.child_by_field_name("name")
                if name is None:
                    continue
                type_node = child.child_by_field_name("type")
                modifiers, attributes = self._marks(child)
                default = child.children[-1] if child.children[-1] != name and _first(child, "=") is not None else None
                out.append(
                    Parameter(self._name(name), name.start_byte, type_node, modifiers, default, attributes, child)
                )
            elif child.type == "params":
                type_node = next((c for c in children[position + 1 :] if c.is_named), None)
                name = node.child_by_field_name("name")
                if name is not None:
                    out.append(Parameter(self._name(name), name.start_byte, type_node, ("params",)))
        return tuple(out)


_MEMBERS = {
    "method_declaration": "method",
    "constructor_declaration": "constructor",
    "destructor_declaration": "destructor",
    "property_declaration": "property",
    "indexer_declaration": "indexer",
    "event_declaration": "event",
    "operator_declaration": "operator",
    "conversion_operator_declaration": "conversion",
    "enum_member_declaration": "enum_member",
    "delegate_declaration": "delegate",
}


def _first(node: Node, kind: str) -> Node | None:
    return next((child for child in node.children if child.type == kind), None)


def walk(source: ParsedSource) -> DeclarationWalk:
    """The declarations of a parsed file; those of switched-off branches are united into the list, marked inactive."""
    found = DeclarationWalk(source.tree, source.text)
    if source.all_branches is not None:
        _unite(found, DeclarationWalk(source.all_branches, source.original), source.inactive)
    return found


def _unite(found: DeclarationWalk, everything: DeclarationWalk, inactive: tuple[tuple[int, int], ...]) -> None:
    """Add the declarations that stand in inactive ranges, under the parents that the active tree has for them."""
    known = {(item.kind, item.name_node.start_byte): item for item in found.items}
    for item in everything.items:
        position = item.name_node.start_byte
        key = (item.kind, position)
        if key in known or not any(start <= position < end for start, end in inactive):
            continue
        if item.parent is not None:
            parent = known.get((item.parent.kind, item.parent.name_node.start_byte))
            if parent is None:
                continue
            item.parent = parent
        item.index, item.inactive = len(found.items), True
        found.items.append(item)
        known[key] = item
