"""The workspace's symbol table: types and members of every file, seen as each project sees them.

Built from `FileFacts` alone. Names resolve as the language prescribes: type parameters, nested and inherited types,
namespaces from the inside out with the usings of each level, global usings, then the small table of framework types in
`external.cs.txt`. A name found nowhere becomes an *unknown* external type: it is never a target, but it keeps its name,
so that extension methods written for it can still be matched.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files as package_files
from typing import Any

from hybrid_index.languages.csharp.facts import DeclarationFacts, FileFacts, extract

EXTERNAL = "*external*"
LOOSE = ""  # the project of files that no project claims: it sees every project
TYPE_KINDS = frozenset(["class", "struct", "interface", "record", "record struct", "enum", "delegate"])
VALUE_KINDS = frozenset(["struct", "record struct", "enum"])

# The identity of a symbol that survives edits of other declarations: file and documentation id. Of a partial type it is
# the part in the first file by path.
SymbolKey = tuple[str, str]
Type = tuple[Any, ...]  # (TypeDef | TypeParameter | special, arguments)


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """What binding must know of a project."""

    files: tuple[str, ...]
    references: tuple[str, ...] = ()  # names of other projects
    global_usings: tuple[str, ...] = ()  # "System", "static X.Y", "A = B.C"
    defines: frozenset[str] | None = None
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BindingContext:
    """The projects of a workspace by name."""

    projects: Mapping[str, ProjectFacts] = field(default_factory=dict)


class TypeParameter:
    """A type parameter of a type or method."""

    __slots__ = ("constraints", "name", "owner", "scope")

    def __init__(self, name: str, owner: Any) -> None:
        self.name = name
        self.owner = owner
        self.constraints: tuple[Any, ...] = ()
        self.scope: Scope | None = None

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def is_value(self) -> bool:
        """Constrained to value types."""
        return any(c[0] == "tkind" and c[1] != "class" for c in self.constraints)


class TypeDef:
    """A type, all its parts together, as one project declares it."""

    __slots__ = (
        "arity",
        "bases_cache",
        "busy",
        "external",
        "kind",
        "lookup_cache",
        "members",
        "name",
        "namespace",
        "nested",
        "outer",
        "parameters",
        "parts",
        "project",
        "unknown",
    )

    def __init__(self, name: str, arity: int, namespace: str, outer: TypeDef | None, kind: str, project: str) -> None:
        self.name = name
        self.arity = arity
        self.namespace = namespace
        self.outer = outer
        self.kind = kind
        self.project = project
        self.external = project == EXTERNAL
        self.unknown = False
        self.parameters: tuple[TypeParameter, ...] = ()
        self.parts: list[tuple[FileFacts, int]] = []
        self.members: dict[str, list[Member]] = {}
        self.nested: dict[str, list[TypeDef]] = {}
        self.bases_cache: list[Type] | None = None
        self.busy = False
        self.lookup_cache: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"{self.outer}.{self.name}" if self.outer else f"{self.namespace}.{self.name}"

    @property
    def all_parameters(self) -> tuple[TypeParameter, ...]:
        """Type parameters of the enclosing types and its own."""
        return (self.outer.all_parameters if self.outer is not None else ()) + self.parameters

    @property
    def own_arguments(self) -> tuple[Type, ...]:
        """The type parameters as arguments: the type seen from inside."""
        return tuple((parameter, ()) for parameter in self.all_parameters)


class Member:
    """A member of a type, or one part of a partial one."""

    __slots__ = (
        "decl",
        "facts",
        "index",
        "is_extension",
        "owner",
        "parameters",
        "ptypes",
        "receiver",
        "rtype",
        "static",
    )

    def __init__(self, decl: DeclarationFacts, facts: FileFacts, index: int, owner: TypeDef) -> None:
        self.decl = decl
        self.facts = facts
        self.index = index
        self.owner = owner
        modifiers = decl.modifiers
        kind = decl.kind
        self.static = "static" in modifiers or kind in ("const", "enum_member", "operator", "conversion")
        self.is_extension = bool(decl.parameters) and decl.parameters[0].modifier == "this"
        self.parameters: tuple[TypeParameter, ...] = ()
        self.rtype: Any = False
        self.ptypes: tuple[Any, ...] | None = None
        self.receiver: Any = None  # type syntax of an extension block's receiver

    @property
    def kind(self) -> str:
        """The declaration's kind."""
        return self.decl.kind

    @property
    def name(self) -> str:
        """The declaration's name."""
        return self.decl.name

    def __repr__(self) -> str:
        return f"{self.owner!r}.{self.decl.name}"


class Scope:
    """Where a name stands: file, project, namespace, enclosing type and method type parameters."""

    __slots__ = ("cache", "file", "method_parameters", "namespace", "type")

    def __init__(
        self,
        file: FileScope,
        namespace: str,
        type_: TypeDef | None,
        method_parameters: Mapping[str, TypeParameter] | None = None,
    ) -> None:
        self.file = file
        self.namespace = namespace
        self.type = type_
        self.method_parameters = method_parameters or {}
        self.cache: dict[tuple[str, int], Any] = {}


class FileScope:
    """The usings of one file within one project, by the namespace they stand in."""

    __slots__ = ("aliases", "facts", "namespaces", "project", "resolved", "statics")

    def __init__(self, facts: FileFacts, project: str) -> None:
        self.facts = facts
        self.project = project
        self.namespaces: dict[str, list[str]] = {}
        self.aliases: dict[str, dict[str, Any]] = {}
        self.statics: dict[str, list[Any]] = {}
        self.resolved: dict[tuple[str, str], Any] = {}
        for using in facts.usings:
            if using.alias:
                self.aliases.setdefault(using.namespace, {})[using.alias] = using.target
            elif using.is_static:
                self.statics.setdefault(using.namespace, []).append(using.target)
            else:
                name = dotted(using.target)
                if name:
                    self.namespaces.setdefault(using.namespace, []).append(name)


def dotted(syntax: Any) -> str:
    """The dotted name of plain type syntax, without arguments; "" where it is something else."""
    if syntax is None:
        return ""
    if syntax[0] == "tn":
        return str(syntax[2])
    if syntax[0] == "tq":
        left = dotted(syntax[1])
        return f"{left}.{syntax[3]}" if left else ""
    if syntax[0] == "ta":
        return str(syntax[3])
    return ""


@lru_cache(maxsize=1)
def external_facts() -> FileFacts:
    """The table of framework types, read once."""
    text = package_files("hybrid_index.graph").joinpath("external.cs.txt").read_bytes()
    return extract(text, EXTERNAL, frozenset())[0]


def namespace_chain(namespace: str) -> list[str]:
    """`A.B` -> `A.B`, `A`, and the global namespace."""
    chain = []
    while namespace:
        chain.append(namespace)
        namespace = namespace.rpartition(".")[0]
    chain.append("")
    return chain


_KEYWORDS = {
    "bool": "Boolean",
    "byte": "Byte",
    "sbyte": "SByte",
    "char": "Char",
    "decimal": "Decimal",
    "double": "Double",
    "float": "Single",
    "int": "Int32",
    "uint": "UInt32",
    "nint": "IntPtr",
    "nuint": "UIntPtr",
    "long": "Int64",
    "ulong": "UInt64",
    "short": "Int16",
    "ushort": "UInt16",
    "object": "Object",
    "string": "String",
    "void": "Void",
}


class Model:
    """The symbol table. Build it once from all facts; it resolves lazily and caches what it resolved."""

    def __init__(self, facts: Mapping[str, FileFacts], context: BindingContext | None = None) -> None:
        self.facts = dict(facts)
        self.context = context or BindingContext()
        self.types: dict[str, dict[tuple[str, str], list[TypeDef]]] = {}
        self.namespaces: set[str] = {""}
        self.extensions: dict[str, list[Member]] = {}
        self.member_names: dict[str, list[Member]] = {}
        self.file_scopes: dict[tuple[str, str], FileScope] = {}
        self.file_projects: dict[str, list[str]] = {}
        self.declared: dict[tuple[str, str], list[TypeDef | Member | None]] = {}
        self._visible: dict[str, list[str]] = {}
        self._unknown: dict[tuple[str, int], TypeDef] = {}
        self._namespace_types: dict[tuple[str, str, str, int], TypeDef | None] = {}
        self._global: dict[str, tuple[list[str], dict[str, Any], list[Any]]] = {}
        # Building allocates much and frees nothing: collections in between double the time.
        collecting = gc.isenabled()
        gc.disable()
        try:
            self._build()
        finally:
            if collecting:
                gc.enable()

    # -- building -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._add_file(external_facts(), EXTERNAL)
        self.builtin = {word: (self.types[EXTERNAL][("System", name)][0], ()) for word, name in _KEYWORDS.items()}
        self.builtin["dynamic"] = (self.unknown("dynamic", 0), ())
        self._load_projects()
        external = self.types[EXTERNAL]
        self.array = external[("System", "__Array")][0]
        self.nullable = external[("System", "Nullable")][0]
        self.tuple = external[("System", "__Tuple")][0]
        self.object = self.builtin["object"][0]
        self.pointer = external[("System", "__Pointer")][0]
        self.delegate = external[("System", "Delegate")][0]
        self.enum = external[("System", "Enum")][0]
        self.tasks = {
            d
            for key in (("System.Threading.Tasks", "Task"), ("System.Threading.Tasks", "ValueTask"))
            for d in external[key]
        }

    def _load_projects(self) -> None:
        claimed: set[str] = set()
        for name, project in self.context.projects.items():
            for path in sorted(project.files):
                facts = self.facts.get(path)
                if facts is not None:
                    claimed.add(path)
                    self._add_file(facts, name)
        for path in sorted(self.facts):
            if path not in claimed:
                self._add_file(self.facts[path], LOOSE)

    def symbol_key(self, sid: tuple[str, int]) -> SymbolKey:
        """The stable identity of a declaration."""
        path, index = sid
        return path, self.facts[path].declarations[index].doc_id

    def take(self, facts: FileFacts) -> None:
        """Replace a file by a version with the same interface (see `same_interface`), keeping everything resolved."""
        path = facts.path
        for project in self.file_projects[path]:
            old = self.file_scopes[project, path].facts
            if old.usings != facts.usings and not facts.declarations:
                self.file_scopes[project, path] = FileScope(facts, project)
            self.file_scopes[project, path].facts = facts
            for index, made in enumerate(self.declared[project, path]):
                if isinstance(made, Member):
                    made.decl, made.facts = facts.declarations[index], facts
                elif isinstance(made, TypeDef):
                    made.parts = [(facts, i) if f is old else (f, i) for f, i in made.parts]
                    for invoke in made.members.get("Invoke", ()) if made.kind == "delegate" else ():
                        invoke.decl, invoke.facts = facts.declarations[index], facts
        self.facts[path] = facts

    def _add_file(self, facts: FileFacts, project: str) -> None:
        self.file_projects.setdefault(facts.path, []).append(project)
        self.file_scopes[project, facts.path] = FileScope(facts, project)
        made: list[TypeDef | Member | None] = []
        table = self.types.setdefault(project, {})
        for index, decl in enumerate(facts.declarations):
            parent = made[decl.parent] if decl.parent >= 0 else None
            if decl.kind in TYPE_KINDS and not decl.is_extension:
                made.append(self._add_type(decl, facts, index, parent, table, project))
            elif decl.is_extension:
                made.append(parent)
            elif isinstance(parent, TypeDef):
                made.append(self._add_member(decl, facts, index, parent))
            else:
                made.append(None)
        self.declared[project, facts.path] = made

    def _add_type(
        self,
        decl: DeclarationFacts,
        facts: FileFacts,
        index: int,
        parent: TypeDef | Member | None,
        table: dict[tuple[str, str], list[TypeDef]],
        project: str,
    ) -> TypeDef:
        outer = parent if isinstance(parent, TypeDef) else None
        arity = len(decl.type_parameters)
        if outer is not None:
            rivals = outer.nested.setdefault(decl.name, [])
        else:
            rivals = table.setdefault((decl.namespace, decl.name), [])
            self._add_namespace(decl.namespace)
        found = next((t for t in rivals if t.arity == arity), None)
        if found is None or ("file" in decl.modifiers and found.parts[0][0] is not facts):
            found = TypeDef(decl.name, arity, decl.namespace, outer, decl.kind, project)
            found.parameters = tuple(TypeParameter(name, found) for name in decl.type_parameters)
            rivals.append(found)
        found.parts.append((facts, index))
        for name, types in decl.constraints:
            for parameter in found.parameters:
                if parameter.name == name:
                    parameter.constraints += types
                    parameter.scope = self.scope_of(found, facts)
        if decl.kind == "delegate":
            found.members.setdefault("Invoke", []).append(Member(decl, facts, index, found))
        return found

    def _add_namespace(self, namespace: str) -> None:
        while namespace not in self.namespaces:
            self.namespaces.add(namespace)
            namespace = namespace.rpartition(".")[0]

    def _add_member(self, decl: DeclarationFacts, facts: FileFacts, index: int, owner: TypeDef) -> Member:
        member = Member(decl, facts, index, owner)
        if decl.type_parameters:
            member.parameters = tuple(TypeParameter(name, member) for name in decl.type_parameters)
        parent = facts.declarations[decl.parent]
        if parent.is_extension and parent.parameters:
            member.receiver = parent
            member.is_extension = True
            member.parameters = tuple(TypeParameter(n, member) for n in parent.type_parameters) + member.parameters
        if decl.constraints or (parent.is_extension and parent.constraints):
            scope = self.member_scope(member)
            for name, types in decl.constraints + (parent.constraints if parent.is_extension else ()):
                for parameter in member.parameters:
                    if parameter.name == name:
                        parameter.constraints, parameter.scope = types, scope
        key = ".ctor" if decl.kind == "constructor" else "this[]" if decl.kind == "indexer" else decl.name
        if decl.kind in ("operator", "conversion"):
            key = "op " + decl.name
        elif decl.kind == "destructor":
            key = "~"
        owner.members.setdefault(key, []).append(member)
        if member.is_extension:
            self.extensions.setdefault(decl.name, []).append(member)
        if not owner.external and decl.kind not in ("constructor", "indexer", "operator", "conversion", "destructor"):
            self.member_names.setdefault(decl.name, []).append(member)
        return member

    # -- scopes -------------------------------------------------------------------------------------------------------

    def scope_of(self, type_: TypeDef, facts: FileFacts) -> Scope:
        """The scope inside a type, in one of its files."""
        key = ("scope", facts.path)
        known = type_.lookup_cache.get(key)  # type: ignore[call-overload]
        if known is None:
            file = self.file_scopes[type_.project, facts.path]
            known = type_.lookup_cache[key] = Scope(file, self._part_namespace(type_, facts), type_)  # type: ignore[index]
        return known  # type: ignore[no-any-return]

    def _part_namespace(self, type_: TypeDef, facts: FileFacts) -> str:
        return next((f.declarations[i].namespace for f, i in type_.parts if f is facts), type_.namespace)

    def member_scope(self, member: Member) -> Scope:
        """The scope of a member's own signature."""
        base = self.scope_of(member.owner, member.facts)
        if not member.parameters:
            return base
        return Scope(base.file, base.namespace, base.type, {p.name: p for p in member.parameters})

    def visible(self, project: str) -> list[str]:
        """A project, those it references directly or not, and the framework table."""
        known = self._visible.get(project)
        if known is None:
            if project == LOOSE:
                known = [LOOSE, *(p for p in self.context.projects), EXTERNAL]
            else:
                known = [project]
                for name in known:
                    facts = self.context.projects.get(name)
                    if facts is not None:
                        known.extend(r for r in facts.references if r not in known and r in self.context.projects)
                known.append(EXTERNAL)
            known = self._visible[project] = [p for p in known if p in self.types]
        return known

    def global_usings(self, project: str) -> tuple[list[str], dict[str, Any], list[Any]]:
        """Namespaces, aliases and static types that every file of a project imports."""
        known = self._global.get(project)
        if known is None:
            namespaces: list[str] = []
            aliases: dict[str, Any] = {}
            statics: list[Any] = []
            facts = self.context.projects.get(project)
            for text in facts.global_usings if facts is not None else ():
                if "=" in text:
                    alias, _, target = text.partition("=")
                    aliases[alias.strip()] = _syntax(target.strip())
                elif text.startswith("static "):
                    statics.append(_syntax(text[7:].strip()))
                else:
                    namespaces.append(text)
            paths = facts.files if facts is not None else [p for p, ps in self.file_projects.items() if LOOSE in ps]
            for path in paths:
                file = self.facts.get(path)
                for using in file.usings if file is not None else ():
                    if not using.is_global:
                        continue
                    if using.alias:
                        aliases[using.alias] = using.target
                    elif using.is_static:
                        statics.append(using.target)
                    else:
                        namespaces.append(dotted(using.target))
            known = self._global[project] = (namespaces, aliases, statics)
        return known

    def unknown(self, name: str, arity: int) -> TypeDef:
        """The stand-in for a type that is declared nowhere in sight."""
        known = self._unknown.get((name, arity))
        if known is None:
            known = self._unknown[name, arity] = TypeDef(name, arity, "", None, "class", EXTERNAL)
            known.unknown = True
            known.parameters = tuple(TypeParameter(f"T{i}", known) for i in range(arity))
        return known

    # -- names to types -----------------------------------------------------------------------------------------------

    def namespace_type(self, project: str, namespace: str, name: str, arity: int) -> TypeDef | None:
        """A top-level type of a namespace, as a project sees it."""
        key = (project, namespace, name, arity)
        try:
            return self._namespace_types[key]
        except KeyError:
            pass
        found = None
        for seen in self.visible(project):
            rivals = self.types[seen].get((namespace, name))
            if rivals:
                found = next((t for t in rivals if t.arity == arity), None)
                if found is not None:
                    break
        self._namespace_types[key] = found
        return found

    def lookup(self, scope: Scope, name: str, arity: int) -> Any:
        """What a simple name means as a type or namespace: a `Type`, ("ns", name), or None."""
        if arity == 0:
            parameter = scope.method_parameters.get(name)
            if parameter is not None:
                return (parameter, ())
        key = (name, arity)
        cache = scope.cache
        if key in cache:
            return cache[key]
        found = self._lookup(scope, name, arity)
        cache[key] = found
        return found

    def _lookup(self, scope: Scope, name: str, arity: int) -> Any:
        type_ = scope.type
        while type_ is not None:
            if arity == 0:
                for parameter in type_.parameters:
                    if parameter.name == name:
                        return (parameter, ())
            found = self.nested_type((type_, type_.own_arguments), name, arity)
            if found is not None:
                return found
            type_ = type_.outer
        return self.lookup_outside(scope.file, scope.namespace, name, arity)

    def nested_type(self, container: Type, name: str, arity: int) -> Type | None:
        """A type nested in `container` or in one of its bases; enclosing type arguments stay open."""
        for base in self.base_closure(container[0]):
            rivals = base.nested.get(name)
            if rivals:
                for rival in rivals:
                    if rival.arity == arity:
                        return (rival, ())
        return None

    def base_closure(self, type_: TypeDef) -> list[TypeDef]:
        """A type, its base classes, and its interfaces; for looking up nested types."""
        known = type_.lookup_cache.get("*closure")
        if known is None:
            if type_.busy:
                return [type_]
            known = [type_]
            for item in known:
                for base in self.bases(item):
                    if isinstance(base[0], TypeDef) and base[0] not in known:
                        known.append(base[0])
            type_.lookup_cache["*closure"] = known
        return known

    def lookup_outside(self, file: FileScope, namespace: str, name: str, arity: int) -> Any:
        """A name looked up in namespaces and usings."""
        project = file.project
        for level in namespace_chain(namespace):
            found = self.namespace_type(project, level, name, arity)
            if found is not None:
                return (found, ())
            if arity == 0:
                inner = f"{level}.{name}" if level else name
                if inner in self.namespaces:
                    return ("ns", inner)
                alias = file.aliases.get(level, {}).get(name)
                if alias is None and not level:
                    alias = self.global_usings(project)[1].get(name)
                if alias is not None:
                    return self._alias(file, level, name, alias)
            for imported in self.imported(file, level):
                found = self.namespace_type(project, imported, name, arity)
                if found is not None:
                    return (found, ())
            for static in self.static_imports(file, level):
                nested = self.nested_type(static, name, arity)
                if nested is not None:
                    return nested
        return None

    def imported(self, file: FileScope, level: str) -> list[str]:
        """Namespaces that the usings of a level import, relative names resolved."""
        known = file.resolved.get((level, "*"))
        if known is None:
            names = file.namespaces.get(level, [])
            known = []
            for name in names:
                target = name
                for outer in namespace_chain(level):
                    candidate = f"{outer}.{name}" if outer else name
                    if candidate in self.namespaces:
                        target = candidate
                        break
                known.append(target)
            if not level:
                known.extend(n for n in self.global_usings(file.project)[0] if n not in known)
            file.resolved[level, "*"] = known
        return known

    def static_imports(self, file: FileScope, level: str) -> list[Type]:
        """Types whose members `using static` imports at a level."""
        known = file.resolved.get((level, "static"))
        if known is None:
            file.resolved[level, "static"] = []
            syntaxes = list(file.statics.get(level, []))
            if not level:
                syntaxes.extend(self.global_usings(file.project)[2])
            scope = Scope(file, level, None)
            known = [t for s in syntaxes if (t := self.resolve(s, scope)) is not None and isinstance(t[0], TypeDef)]
            file.resolved[level, "static"] = known
        return known

    def _alias(self, file: FileScope, level: str, name: str, target: Any) -> Any:
        key = (level, "=" + name)
        if key not in file.resolved:
            file.resolved[key] = None
            bare = FileScope.__new__(FileScope)
            bare.facts, bare.project = file.facts, file.project
            bare.namespaces, bare.aliases, bare.statics, bare.resolved = {}, {}, {}, {}
            file.resolved[key] = self.resolve_name(target, Scope(bare, level, None))
        return file.resolved[key]

    def resolve_name(self, syntax: Any, scope: Scope) -> Any:
        """A possibly qualified name as a `Type`, ("ns", name) or None."""
        op = syntax[0]
        if op == "tn":
            args = syntax[3]
            found = self.lookup(scope, syntax[2], len(args))
            if found is None:
                return (self.unknown(syntax[2], len(args)), tuple(self.resolve(a, scope) for a in args))
            return self._with_arguments(found, args, scope)
        if op == "tq":
            left = self.resolve_name(syntax[1], scope) if syntax[1] is not None else None
            return self.member_of(left, syntax[3], syntax[4], scope)
        if op == "ta":
            if syntax[1] == "global":
                return self.member_of(("ns", ""), syntax[3], syntax[4], scope)
            left = self.lookup(scope, syntax[1], 0)
            return self.member_of(left, syntax[3], syntax[4], scope)
        return self.resolve(syntax, scope)

    def member_of(self, left: Any, name: str, args: Any, scope: Scope) -> Any:
        """The type or namespace `name` inside a namespace or type."""
        arity = len(args or ())
        if left is None:
            return None
        if left[0] == "ns":
            inner = f"{left[1]}.{name}" if left[1] else name
            found = self.namespace_type(scope.file.project, left[1], name, arity)
            if found is not None:
                return self._with_arguments((found, ()), args, scope)
            if inner in self.namespaces:
                return ("ns", inner)
            return (self.unknown(name, arity), tuple(self.resolve(a, scope) for a in args or ()))
        if isinstance(left[0], TypeDef):
            nested = self.nested_type(left, name, arity)
            if nested is not None:
                own = tuple(self.resolve(a, scope) for a in args or ())
                return (nested[0], tuple(left[1]) + own) if own or left[1] else nested
            if left[0].unknown:
                return (self.unknown(name, arity), tuple(self.resolve(a, scope) for a in args or ()))
        return None

    def _with_arguments(self, found: Any, args: Any, scope: Scope) -> Any:
        if not args or found[0] == "ns":
            return found
        return (found[0], tuple(self.resolve(a, scope) for a in args))

    def resolve(self, syntax: Any, scope: Scope) -> Type | None:
        """Type syntax as a type; None where it names none (`var`, a namespace)."""
        if syntax is None:
            return None
        op = syntax[0]
        if op == "tp":
            return self.builtin.get(syntax[1])
        if op in ("tn", "tq", "ta"):
            if op == "tn" and not syntax[3]:
                if syntax[2] == "dynamic":
                    return None
                if syntax[2] in ("nint", "nuint"):
                    return self.builtin[syntax[2]]
            found = self.resolve_name(syntax, scope)
            return found if found is not None and found[0] != "ns" else None
        if op == "tnull":
            inner = self.resolve(syntax[1], scope)
            return self.nullable_of(inner)
        if op == "tarr":
            return (self.array, (self.resolve(syntax[1], scope),))
        if op == "ttup":
            types = tuple(self.resolve(t, scope) for t, _ in syntax[1])
            return (self.tuple, types, tuple(n for _, n in syntax[1]))
        if op == "tptr":
            return (self.pointer, (self.resolve(syntax[1], scope),))
        return None

    def nullable_of(self, inner: Type | None) -> Type | None:
        """`T?`: Nullable for value types, the type itself otherwise."""
        if inner is not None and isinstance(inner[0], TypeDef) and inner[0].kind in VALUE_KINDS:
            return inner if inner[0] is self.nullable else (self.nullable, (inner,))
        if inner is not None and isinstance(inner[0], TypeParameter) and inner[0].is_value:
            return (self.nullable, (inner,))
        if inner is not None and inner[0] is self.tuple:
            return (self.nullable, (inner,))
        return inner

    # -- hierarchy ----------------------------------------------------------------------------------------------------

    def bases(self, type_: TypeDef) -> list[Type]:
        """Base class and interfaces as declared, over the type's own parameters."""
        known = type_.bases_cache
        if known is not None:
            return known
        if type_.busy:
            return []
        type_.busy = True
        out: list[Type] = []
        for facts, index in type_.parts:
            # A base list sees the type's parameters and the enclosing types, not the type's own nested types.
            inner = self.scope_of(type_, facts)
            scope = Scope(inner.file, inner.namespace, type_.outer, {p.name: p for p in type_.parameters})
            for syntax in facts.declarations[index].bases:
                base = self.resolve(syntax, scope)
                if base is not None and base not in out:
                    out.append(base)
        if type_.kind == "enum":
            out.append((self.enum, ()))
        elif type_.kind == "delegate":
            out.append((self.delegate, ()))
        type_.busy = False
        type_.bases_cache = out
        return out

    def member_type(self, member: Member) -> Type | None:
        """Declared type of a field or property, return type of a method, over the owner's parameters."""
        known = member.rtype
        if known is False:
            decl = member.decl
            if decl.kind == "enum_member":
                known = (member.owner, ())
            elif decl.kind == "constructor":
                known = (member.owner, member.owner.own_arguments)
            else:
                known = self.resolve(decl.type, self.member_scope(member))
            member.rtype = known
        return known  # type: ignore[no-any-return]

    def parameter_types(self, member: Member) -> tuple[Type | None, ...]:
        """Types of the parameters, the receiver of an extension block first."""
        known = member.ptypes
        if known is None:
            if member.decl.kind == "delegate":
                scope = self.scope_of(member.owner, member.facts)
            else:
                scope = self.member_scope(member)
            known = tuple(self.resolve(p.type, scope) for p in member.decl.parameters)
            if member.receiver is not None:
                known = (self.resolve(member.receiver.parameters[0].type, scope), *known)
            member.ptypes = known
        return known


def _syntax(text: str) -> Any:
    """Type syntax of a plain dotted name."""
    text = text.removeprefix("global::")
    parts = text.split(".")
    syntax: Any = ("tn", 0, parts[0], ())
    for part in parts[1:]:
        syntax = ("tq", syntax, 0, part, ())
    return syntax


def iter_types(model: Model) -> Iterable[TypeDef]:
    """Every source type with its nested types."""
    for project, table in model.types.items():
        if project == EXTERNAL:
            continue
        stack = [t for rivals in table.values() for t in rivals]
        while stack:
            type_ = stack.pop()
            yield type_
            for rivals in type_.nested.values():
                stack.extend(rivals)
