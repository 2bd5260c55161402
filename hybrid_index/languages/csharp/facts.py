"""The facts of one C# file that binding needs, in plain values.

`FileFacts` is what other files must know (declarations, usings, names mentioned): compact, and kept for the whole
workspace. `FileBodies` is what binding the file itself needs (attributes, initialisers, statements) and may be dropped
after binding. Both consist of tuples, lists, strings and ints and can be marshalled (`FileFacts.to_bytes`).
"""

from __future__ import annotations

import marshal
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from tree_sitter import Node

from hybrid_index.languages.csharp.declarations import Declaration, DeclarationWalk, walk
from hybrid_index.languages.csharp.lowering import SHIFT, Lowering
from hybrid_index.languages.csharp.symbols import SymbolBuilder
from hybrid_index.languages.csharp.syntax import ParsedSource, parse

# Raised by one whenever the shape of the tuples changes, so that stored facts of another shape are never read.
FACTS_VERSION = 1


class ParameterFacts(NamedTuple):
    """One parameter of a member."""

    name: str
    type: Any  # type syntax, see `lowering`
    modifier: str  # "", "ref", "out", "in", "params" or "this"
    optional: bool


class DeclarationFacts(NamedTuple):
    """One declaration; `parent` is its container's place in the same list, -1 at the top."""

    kind: str
    name: str
    pos: int  # line << 20 | column of the name
    parent: int
    namespace: str
    modifiers: tuple[str, ...]
    type_parameters: tuple[str, ...]
    type: Any
    parameters: tuple[ParameterFacts, ...]
    bases: tuple[Any, ...]
    explicit_interface: Any
    constraints: tuple[tuple[str, tuple[Any, ...]], ...]
    primary: bool
    is_extension: bool
    inactive: bool
    start_line: int
    end_line: int
    doc_id: str


class UsingFacts(NamedTuple):
    """One using directive."""

    namespace: str  # the namespace declaration it stands in, "" at the top of the file
    is_global: bool
    is_static: bool
    alias: str
    target: Any  # type syntax


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What the rest of the workspace must know of a file."""

    path: str
    declarations: tuple[DeclarationFacts, ...]
    usings: tuple[UsingFacts, ...]
    mentioned: frozenset[str]  # every identifier in the file
    has_broken_regions: bool
    uses_conditions: bool  # some branches were switched off by the defines

    def to_bytes(self) -> bytes:
        """A compact form that `from_bytes` reads back."""
        declarations = [
            tuple(d[:8]) + (tuple(tuple(p) for p in d.parameters),) + tuple(d[9:]) for d in self.declarations
        ]
        usings = [tuple(u) for u in self.usings]
        plain = (
            FACTS_VERSION,
            self.path,
            declarations,
            usings,
            sorted(self.mentioned),
            self.has_broken_regions,
            self.uses_conditions,
        )
        return marshal.dumps(plain)

    @classmethod
    def from_bytes(cls, data: bytes) -> FileFacts:
        """Read `to_bytes`; ValueError for facts of another version."""
        version, path, declarations, usings, mentioned, broken, conditions = marshal.loads(data)
        if version != FACTS_VERSION:
            raise ValueError(f"Facts of {path} have version {version}, not {FACTS_VERSION}: extract the file again.")
        return cls(
            path,
            tuple(
                DeclarationFacts(*d[:8], tuple(ParameterFacts(*p) for p in d[8]), *d[9:])  # type: ignore[call-arg]
                for d in declarations
            ),
            tuple(UsingFacts(*u) for u in usings),
            frozenset(mentioned),
            broken,
            conditions,
        )


class BodyFacts(NamedTuple):
    """What one declaration contains, lowered."""

    place: int  # of the declaration in `FileFacts.declarations`
    attributes: list[Any]
    parameter_attributes: list[Any]
    defaults: list[Any]
    body: Any
    initializer: Any  # of a field, a property or an enum member; ("ctor", "this"|"base", args, pos) for constructors
    base_arguments: Any  # (arguments, pos) of `class A(int x) : B(x)`


class FileBodies(NamedTuple):
    """What binding a file needs besides its facts."""

    bodies: list[BodyFacts]
    statements: list[Any]  # top-level statements
    attributes: list[Any]  # of the assembly
    crefs: list[Any]  # (pos, text) of documentation references

    def to_bytes(self) -> bytes:
        """A compact form that `from_bytes` reads back; for handing bodies from one process to another."""
        plain = ([tuple(b) for b in self.bodies], self.statements, self.attributes, self.crefs)
        return zlib.compress(marshal.dumps(plain), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> FileBodies:
        """Read `to_bytes`."""
        bodies, statements, attributes, crefs = marshal.loads(zlib.decompress(data))
        return cls([BodyFacts(*b) for b in bodies], statements, attributes, crefs)


def extract(source: bytes, path: str, defines: Iterable[str] | None = None) -> tuple[FileFacts, FileBodies]:
    """Facts and lowered bodies of a file (UTF-8 bytes); never raises on malformed input."""
    return extract_parsed(parse(source, defines), path)


def extract_parsed(parsed: ParsedSource, path: str) -> tuple[FileFacts, FileBodies]:
    """`extract` for a file that is parsed already."""
    found = walk(parsed)
    extractor = _Extractor(parsed, found)
    declarations = tuple(extractor.declaration(item) for item in found.items)
    usings = tuple(u for node, namespace in found.usings if (u := extractor.using(node, namespace)) is not None)
    bodies = [b for item in found.items if (b := extractor.body(item)) is not None]
    statements = [extractor.guarded(node) for node in found.statements]
    attributes: list[Any] = []
    for node in found.global_attributes:
        attributes.extend(extractor.lower.attributes(node))
    crefs = extractor.crefs()
    facts = FileFacts(
        path,
        declarations,
        usings,
        frozenset(extractor.lower.names.values()),
        parsed.tree.root_node.has_error,
        bool(parsed.inactive),
    )
    return facts, FileBodies(bodies, statements, attributes, crefs)


_CREF_ATTRIBUTE = re.compile(rb"""\bcref\s*=\s*["']([^"'\r\n]+)["']""")


class _Extractor:
    def __init__(self, parsed: ParsedSource, found: DeclarationWalk) -> None:
        self.lower = Lowering(parsed.text)
        self.whole = Lowering(parsed.original) if parsed.all_branches is not None else self.lower
        self.whole.names = self.lower.names
        self.symbols = SymbolBuilder(found, parsed.original)
        self.found = found
        self.parsed = parsed

    def declaration(self, item: Declaration) -> DeclarationFacts:
        low = self.whole if item.inactive else self.lower
        node = item.node
        constraints = []
        if item.type_parameters:
            for child in node.children:
                if child.type == "type_parameter_constraints_clause":
                    name, types = low.constraint(child)
                    constraints.append((name, tuple(types)))
        explicit = None
        if item.explicit_interface is not None:
            named = [c for c in item.explicit_interface.children if c.is_named]
            explicit = low.type(named[0]) if named else None
        low.name(item.name_node)
        return DeclarationFacts(
            item.kind,
            item.name[1:] if item.name.startswith("@") else item.name,
            low.position(item.name_node),
            item.parent.index if item.parent is not None else -1,
            item.namespace,
            item.modifiers,
            item.type_parameters,
            low.type(item.type),
            tuple(self._parameter(p, low) for p in item.parameters),
            tuple(self._bases(item, low)),
            explicit,
            tuple(constraints),
            item.primary,
            item.is_extension,
            item.inactive,
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            self.symbols.doc_id(item),
        )

    def _parameter(self, parameter: Any, low: Lowering) -> ParameterFacts:
        modifier = next((m for m in parameter.modifiers if m in ("ref", "out", "in", "params", "this")), "")
        return ParameterFacts(parameter.name, low.type(parameter.type), modifier, parameter.default is not None)

    def _bases(self, item: Declaration, low: Lowering) -> list[Any]:
        out: list[Any] = []
        if item.bases is None or item.kind == "enum":
            return out
        for child in item.bases.children:
            if not child.is_named:
                continue
            node = child
            if child.type == "primary_constructor_base_type":
                node = child.children[0]
            syntax = low.type(node)
            if syntax is not None:
                out.append(syntax)
        return out

    def using(self, node: Node, namespace: str) -> UsingFacts | None:
        words = {c.type for c in node.children if not c.is_named}
        alias = node.child_by_field_name("name")
        targets = [c for c in node.children if c.is_named and c != alias and c.type not in ("comment", "modifier")]
        if not targets:
            return None
        return UsingFacts(
            namespace,
            "global" in words,
            "static" in words,
            self.lower.name(alias) if alias is not None else "",
            self.lower.type(targets[-1]),
        )

    def guarded(self, node: Node, low: Lowering | None = None) -> Any:
        """A lowered node, or None for one nested too deep."""
        try:
            return (low or self.lower).expression(node)
        except RecursionError:
            return None

    def body(self, item: Declaration) -> BodyFacts | None:  # noqa: C901 - one short case per form
        low = self.whole if item.inactive else self.lower
        attributes: list[Any] = []
        if not (item.primary and item.kind == "constructor"):
            nodes = item.attributes
            if item.primary and item.node.type == "parameter":
                nodes = ()
            for node in nodes:
                attributes.extend(low.attributes(node))
        parameter_attributes: list[Any] = []
        defaults: list[Any] = []
        if not (item.primary and item.kind == "constructor"):
            for parameter in item.parameters:
                for node in parameter.attributes:
                    parameter_attributes.extend(low.attributes(node))
                if parameter.default is not None:
                    defaults.append((parameter.name, self.guarded(parameter.default, low)))
        body = initializer = base_arguments = None
        kind = item.kind
        if item.primary:
            pass
        elif kind in ("property", "indexer", "event"):
            body, initializer = self._accessors(item, low)
        elif kind == "constructor" and item.initializer is not None:
            initializer = self._constructor_initializer(item.initializer, low)
        elif item.initializer is not None:
            lowered = low.declarator(item.initializer)
            initializer = lowered[1]
        elif kind == "enum_member":
            value = item.node.child_by_field_name("value")
            initializer = self.guarded(value, low) if value is not None else None
        if item.body is not None and kind in ("method", "constructor", "destructor", "operator", "conversion"):
            body = self.guarded(item.body, low)
        if item.bases is not None and kind != "enum":
            for child in item.bases.children:
                if child.type == "primary_constructor_base_type":
                    base_arguments = (low._arguments(child.children[-1]), low.position(child.children[0]))
        if not attributes and not parameter_attributes and not defaults and body is None and initializer is None:
            if base_arguments is None:
                return None
        return BodyFacts(item.index, attributes, parameter_attributes, defaults, body, initializer, base_arguments)

    def _accessors(self, item: Declaration, low: Lowering) -> tuple[Any, Any]:
        accessors = item.node.child_by_field_name("accessors")
        value = item.node.child_by_field_name("value")
        if accessors is None:
            return (self.guarded(value, low) if value is not None else None), None
        parts = []
        for accessor in accessors.children:
            if accessor.type == "accessor_declaration":
                name = accessor.child_by_field_name("name")
                body = accessor.child_by_field_name("body")
                if body is not None and name is not None:
                    parts.append((low.name(name), self.guarded(body, low)))
        return ("accessors", parts), (self.guarded(value, low) if value is not None else None)

    def _constructor_initializer(self, node: Node, low: Lowering) -> Any:
        word = next((c for c in node.children if c.type in ("this", "base")), None)
        arguments = next((c for c in node.children if c.type == "argument_list"), None)
        if word is None:
            return None
        return ("ctor", word.type, low._arguments(arguments), low.position(word))

    def crefs(self) -> list[Any]:
        """Documentation references with the declaration whose comment they stand in."""
        text = self.parsed.original
        if b"cref" not in text:
            return []
        out = []
        line, last = 1, 0
        for match in _CREF_ATTRIBUTE.finditer(text):
            start = match.start(1)
            line += text.count(b"\n", last, start)
            last = start
            begin = text.rfind(b"\n", 0, start) + 1
            before = text[begin:start]
            if b"///" not in before and not before.lstrip().startswith((b"*", b"/**")):
                continue
            column = len(text[begin:start].decode("utf-8", "replace").encode("utf-16-le")) // 2 + 1
            out.append((line << SHIFT | column, match.group(1).decode("utf-8", "replace")))
        return out
