"""Bind the names of one file: expressions and statements evaluated for their types, references emitted on the way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, NamedTuple

from hybrid_index.graph import crefs
from hybrid_index.graph.algebra import NULL, Algebra, Env
from hybrid_index.graph.model import (
    TYPE_KINDS,
    Member,
    Model,
    Scope,
    Type,
    TypeDef,
    TypeParameter,
    namespace_chain,
)
from hybrid_index.graph.overloads import Argument, Candidate, Choice, Overloads
from hybrid_index.languages.csharp.facts import BodyFacts, FileBodies, FileFacts
from hybrid_index.languages.csharp.lowering import SHIFT

Sid = tuple[str, int]  # file path and place in its declarations


class Bound(NamedTuple):
    """One bound reference."""

    pos: int  # line << 20 | column
    length: int
    target: Sid
    kind: str  # read, write, call, construct, inherit, attribute, typeof, nameof, cref, type, operator, index
    how: str  # how it was bound
    sure: bool  # False: heuristic
    implicit: bool  # no name of the target stands at the position
    enclosing: int  # declaration index of the enclosing member or type, -1 outside


class Possible(NamedTuple):
    """A use whose receiver is unknown and that may mean one of some members of that name."""

    pos: int
    length: int
    name: str
    enclosing: int


class LocalFunction(NamedTuple):
    """A local function in scope."""

    parameters: Any
    returns: Any


class Group(NamedTuple):
    """A method group before a method is chosen."""

    candidates: list[Candidate]
    targs: tuple[Any, ...] | None
    pos: int
    name: str
    receiver: Any
    how: str


class Anonymous:
    """The type of an anonymous object."""

    __slots__ = ("fields",)

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields


Found = list[tuple[Member, Env, int]]
_CLASH = object()
_BOOL_OPERATORS = frozenset(["==", "!=", "<", ">", "<=", ">=", "&&", "||", "is"])
OPERATOR_KINDS = frozenset(
    ["==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"]
)
_RANK = [
    "SByte",
    "Byte",
    "Int16",
    "UInt16",
    "Char",
    "Int32",
    "UInt32",
    "Int64",
    "UInt64",
    "Single",
    "Double",
    "Decimal",
]


class FileBinder:
    """Binds one file as one project sees it."""

    def __init__(self, model: Model, algebra: Algebra, facts: FileFacts, project: str) -> None:
        self.model = model
        self.algebra = algebra
        self.overloads = Overloads(model, algebra)
        self.facts = facts
        self.project = project
        self.declared = model.declared[project, facts.path]
        self.file = model.file_scopes[project, facts.path]
        self.references: list[Bound] = []
        self.possible: list[Possible] = []
        self.calls: dict[tuple[int, Sid, str], int] = {}
        self.scopes: list[dict[str, Any]] = []
        self.scope = Scope(self.file, "", None)
        self.enclosing = -1
        self.static = False
        self.this: Type | None = None
        self.returns: list[list[Any]] = []
        self.receivers: list[Any] = []
        self.kind = "read"
        self._starts = sorted((d.start_line, i) for i, d in enumerate(facts.declarations) if not d.primary)
        self._handlers: dict[str, Callable[..., Any]] = {
            name[3:]: getattr(self, name) for name in dir(self) if name.startswith("_e_")
        }

    # -- emission -----------------------------------------------------------------------------------------------------

    def sid(self, target: Member | TypeDef) -> Sid | None:
        """The identity of a source symbol; None for external ones."""
        if isinstance(target, TypeDef):
            if target.external:
                return None
            facts, index = target.parts[0]
            return facts.path, index
        if target.owner.external:
            return None
        return target.facts.path, target.index

    def emit(
        self,
        pos: int,
        name: str,
        target: Member | TypeDef,
        kind: str,
        how: str,
        sure: bool = True,
        implicit: bool = False,
    ) -> None:
        """Record a reference, if the target is in the workspace."""
        sid = self.sid(target)
        if sid is not None and pos:
            self.references.append(Bound(pos, len(name), sid, kind, how, sure, implicit, self.enclosing))

    def call(self, target: Member | TypeDef, kind: str) -> None:
        """Record a call; attributes are not calls."""
        sid = self.sid(target)
        if sid is not None and kind:
            key = (self.enclosing, sid, kind)
            self.calls[key] = self.calls.get(key, 0) + 1

    # -- types --------------------------------------------------------------------------------------------------------

    def type(self, syntax: Any, kind: str = "type") -> Any:
        """Resolve type syntax and record what it names."""
        if syntax is None:
            return None
        self.mention(syntax, kind)
        return self.model.resolve(syntax, self.scope)

    def mention(self, syntax: Any, kind: str = "type") -> None:  # noqa: C901 - one short case per form
        """Record the types that a piece of type syntax names."""
        op = syntax[0]
        if op in ("tn", "tq", "ta"):
            found = self.model.resolve_name(syntax, self.scope)
            if found is not None and isinstance(found[0], TypeDef):
                pos, name = (syntax[1], syntax[2]) if op == "tn" else (syntax[2], syntax[3])
                if not found[0].external:
                    how = "type name"
                    if op == "tn" and found[0].name != name:
                        how = "alias"
                    self.emit(pos, name, found[0], kind, how)
            args = syntax[3] if op == "tn" else syntax[4]
            for arg in args or ():
                if arg is not None:
                    self.mention(arg)
            if op == "tq" and syntax[1] is not None:
                self.mention(syntax[1])
        elif op in ("tarr", "tnull", "tptr"):
            if syntax[1] is not None:
                self.mention(syntax[1])
            if op == "tarr" and len(syntax) > 2:
                for size in syntax[2]:
                    self.ev(size)
        elif op == "ttup":
            for inner, _ in syntax[1]:
                if inner is not None:
                    self.mention(inner)
        elif op == "tfn":
            for inner in syntax[1]:
                if inner is not None:
                    self.mention(inner)

    # -- the file -----------------------------------------------------------------------------------------------------

    def bind(self, bodies: FileBodies) -> None:
        """Bind everything in the file."""
        self._usings()
        for attribute in bodies.attributes:
            self._attribute(attribute)
        by_index = {b.place: b for b in bodies.bodies}
        for index in range(len(self.facts.declarations)):
            try:
                self._declaration(index, by_index.get(index))
            except RecursionError:
                continue
        self._top_level(bodies.statements)
        for pos, text in bodies.crefs:
            self._cref(pos, text)

    def _cref(self, pos: int, text: str) -> None:
        """A reference in a comment belongs to the declaration that follows."""
        line = pos >> SHIFT
        index = bisect_right(self._starts, (line, len(self._starts)))
        if index == len(self._starts):
            return
        self.enclosing = self._starts[index][1]
        made = self.declared[self.enclosing]
        if isinstance(made, TypeDef):
            self.scope = self.model.scope_of(made, self.facts)
        elif isinstance(made, Member):
            self.scope = self.model.member_scope(made)
        else:
            return
        for offset, name, target in crefs.resolve(self.model, self.algebra, self.scope, text):
            self.emit(pos + offset, name, target, "cref", "documentation reference")

    def _usings(self) -> None:
        for using in self.facts.usings:
            self.scope = Scope(self.file, using.namespace, None)
            if using.alias or using.is_static:
                syntax = using.target
                if syntax is not None:
                    self.mention(syntax)
        self.scope = Scope(self.file, "", None)

    def _top_level(self, statements: list[Any]) -> None:
        if not statements:
            return
        self.scope = Scope(self.file, "", None)
        self.enclosing, self.static, self.this = -1, True, None
        self.scopes = [{"args": (self.model.array, (self.model.builtin["string"],))}]
        self._hoist(statements)
        for statement in statements:
            if statement is not None:
                self.ev(statement)
        self.scopes = []

    def _declaration(self, index: int, body: BodyFacts | None) -> None:
        decl = self.facts.declarations[index]
        made = self.declared[index]
        parent = self.declared[decl.parent] if decl.parent >= 0 else None
        owner = parent if isinstance(parent, TypeDef) else None
        if decl.inactive:
            return
        self.scopes = []
        self.enclosing = index
        if isinstance(made, TypeDef) and not decl.is_extension:
            self._type_declaration(made, decl, body)
            return
        if owner is None and not decl.is_extension:
            return
        member = made if isinstance(made, Member) else None
        if decl.is_extension:
            self.enclosing = decl.parent
        base = self.model.scope_of(owner, self.facts) if owner is not None else Scope(self.file, decl.namespace, None)
        if member is not None and member.parameters:
            self.scope = self.model.member_scope(member)
        else:
            self.scope = base
        if decl.is_extension:
            self.scope = Scope(
                base.file, base.namespace, base.type, {n: TypeParameter(n, owner) for n in decl.type_parameters}
            )
        self.static = (member is not None and member.static) or decl.is_extension
        self.this = (owner, owner.own_arguments) if owner is not None else None
        self._member(decl, member, body, owner)

    def _type_declaration(self, type_: TypeDef, decl: Any, body: BodyFacts | None) -> None:
        inner = self.model.scope_of(type_, self.facts)
        self.static, self.this = True, None
        self.scope = Scope(inner.file, inner.namespace, type_.outer, {p.name: p for p in type_.parameters})
        for syntax in decl.bases:
            self.mention(syntax, "inherit")
        if decl.kind == "delegate":
            self.type(decl.type)
            for parameter in decl.parameters:
                self.type(parameter.type)
        self._constraints(decl)
        if body is not None:
            self.scope = inner
            for attribute in body.attributes:
                self._attribute(attribute)
            if decl.kind == "delegate":
                for attribute in body.parameter_attributes:
                    self._attribute(attribute)
                for _, value in body.defaults:
                    self.ev(value)
            if body.base_arguments is not None and decl.bases:
                self._base_call(type_, decl, body.base_arguments)

    def _base_call(self, type_: TypeDef, decl: Any, base_arguments: Any) -> None:
        """`class A(int x) : B(x)`."""
        ctor = next((m for m in type_.members.get(".ctor", ()) if m.decl.primary), None)
        if ctor is not None:
            self.enclosing = ctor.index
        types = [self.model.resolve(p.type, self.scope) for p in decl.parameters]
        self.scopes = [dict(zip((p.name for p in decl.parameters), types, strict=True))]
        args = [self._argument(a) for a in base_arguments[0]]
        base = self.model.resolve(decl.bases[0], self.scope)
        self._construct(base, args, base_arguments[0], base_arguments[1], _last_name(decl.bases[0]), "ctor_init", False)
        self.scopes = []

    def _constraints(self, decl: Any) -> None:
        for _, types in decl.constraints:
            for syntax in types:
                self.mention(syntax)

    def _member(self, decl: Any, member: Member | None, body: BodyFacts | None, owner: TypeDef | None) -> None:  # noqa: C901 - one short case per form
        if not decl.primary:
            if decl.type is not None and decl.kind not in ("field", "const", "event") or self._first_declarator(decl):
                self.type(decl.type)
            if decl.explicit_interface is not None:
                self.mention(decl.explicit_interface)
        if not (decl.primary and decl.kind == "property"):
            for parameter in decl.parameters:
                self.type(parameter.type)
        if not decl.primary:
            self._constraints(decl)
        if body is None:
            return
        if decl.kind not in ("field", "const", "event") or self._first_declarator(decl):
            for attribute in body.attributes:
                self._attribute(attribute)
        for attribute in body.parameter_attributes:
            self._attribute(attribute)
        types = [self.model.resolve(p.type, self.scope) for p in decl.parameters]
        locals_ = dict(zip((p.name for p in decl.parameters), types, strict=True))
        for name, value in body.defaults:
            self.ev(value, locals_.get(name))
        outer = self._primary_parameters(owner)
        if member is not None and member.receiver is not None:
            receiver = member.receiver.parameters[0]
            locals_[receiver.name] = self.model.resolve(receiver.type, self.scope)
        self.scopes = [outer, locals_] if outer else [locals_]
        returns = self.model.member_type(member) if member is not None else None
        if body.initializer is not None:
            if isinstance(body.initializer, tuple) and body.initializer[0] == "ctor":
                self._constructor_initializer(body.initializer, owner)
            else:
                self.ev(body.initializer, returns)
        if body.body is not None:
            self._body(decl, body.body, returns)
        self.scopes = []

    def _first_declarator(self, decl: Any) -> bool:
        """Several declarators share one type and one attribute list: only the first binds them."""
        if self.enclosing <= 0:
            return True
        before = self.facts.declarations[self.enclosing - 1]
        # Type syntax carries its position, so equality means the very same place.
        return bool(
            before.kind != decl.kind
            or before.parent != decl.parent
            or before.start_line != decl.start_line
            or (before.type != decl.type)
        )

    def _primary_parameters(self, owner: TypeDef | None) -> dict[str, Any]:
        """Parameters of a primary constructor are in scope in the whole type (records turn them into properties)."""
        out: dict[str, Any] = {}
        if owner is None:
            return out
        for ctor in owner.members.get(".ctor", ()):
            if ctor.decl.primary and not owner.kind.startswith("record"):
                types = self.model.parameter_types(ctor)
                out.update(zip((p.name for p in ctor.decl.parameters), types, strict=True))
        for name in list(out):
            if name in owner.members:
                del out[name]
        return out

    def _body(self, decl: Any, body: Any, returns: Any) -> None:
        if body[0] == "accessors":
            for name, inner in body[1]:
                if inner is None:
                    continue
                self.scopes.append({"value": returns} if name in ("set", "init", "add", "remove") else {})
                self.returns.append([returns if name == "get" else None])
                self.ev(inner, returns if name == "get" else None)
                self.returns.pop()
                self.scopes.pop()
            return
        if "async" in decl.modifiers and returns is not None:
            returns = self.algebra.awaited(returns)
        self.returns.append([returns])
        self.ev(body, returns)
        self.returns.pop()

    def _constructor_initializer(self, node: Any, owner: TypeDef | None) -> None:
        _, word, args_nodes, pos = node
        before, self.static = self.static, True
        args = [self._argument(a) for a in args_nodes]
        self.static = before
        if owner is None:
            return
        target: Any = (owner, owner.own_arguments)
        if word == "base":
            bases = [b for b in self.model.bases(owner) if isinstance(b[0], TypeDef) and b[0].kind != "interface"]
            target = bases[0] if bases else None
        self._construct(target, args, args_nodes, pos, word, "ctor_init", True)

    def _attribute(self, node: Any) -> None:
        syntax, args_nodes, named = node
        if syntax is None:
            return
        found = self._attribute_type(syntax)
        pos, name = (syntax[1], syntax[2]) if syntax[0] == "tn" else (syntax[2], syntax[3])
        targs = syntax[3] if syntax[0] == "tn" else syntax[4]
        for inner in targs or ():
            if inner is not None:
                self.mention(inner)
        if syntax[0] == "tq" and syntax[1] is not None:
            self.mention(syntax[1])
        args = [self._argument(a) for a in args_nodes]
        if found is not None and isinstance(found[0], TypeDef):
            self.emit(pos, name, found[0], "attribute", "attribute name")
            self._construct(found, args, args_nodes, pos, name, "", False)
        for at, label, value in named:
            members = self.algebra.members(found, label)
            target = None
            if members:
                member, env, _ = members[0]
                self.emit(at, label, member, "write", "attribute argument")
                target = self.algebra.substitute(self.model.member_type(member), env)
            self.ev(value, target)

    def _attribute_type(self, syntax: Any) -> Any:
        long: Any = (syntax[0], syntax[1], syntax[2] + "Attribute", syntax[3]) if syntax[0] == "tn" else None
        if syntax[0] in ("tq", "ta"):
            long = (syntax[0], syntax[1], syntax[2], syntax[3] + "Attribute", syntax[4])
        for candidate in (syntax, long):
            if candidate is None:
                continue
            found = self.model.resolve_name(candidate, self.scope)
            if found is not None and isinstance(found[0], TypeDef) and not found[0].unknown:
                if candidate is syntax and not syntax[-1] and not self._is_attribute(found):
                    continue
                return found
        return None

    def _is_attribute(self, type_: Any) -> bool:
        return any(
            isinstance(t[0], TypeDef) and (t[0].name.endswith("Attribute") or t[0].unknown)
            for t in self.algebra.supertypes(type_)
        )

    # -- statements ---------------------------------------------------------------------------------------------------

    def ev(self, node: Any, target: Any = None) -> Any:
        """Evaluate a lowered node; `target` is the type that its place expects."""
        if node is None:
            return None
        handler = self._handlers.get(node[0])
        if handler is None:
            return None
        return handler(node, target)

    def _hoist(self, statements: list[Any]) -> None:
        """Local functions are in scope before their declaration."""
        for statement in statements:
            if statement is not None and statement[0] == "localfn":
                self.scopes[-1][statement[1]] = self._local_function(statement)

    def _local_function(self, node: Any) -> LocalFunction:
        scope = self._with_parameters(node[5])
        types = [self.model.resolve(p[2], scope) for p in node[2]]
        return LocalFunction(list(zip(node[2], types, strict=True)), self.model.resolve(node[3], scope))

    def _with_parameters(self, names: list[str]) -> Scope:
        if not names:
            return self.scope
        merged = dict(self.scope.method_parameters)
        merged.update((name, TypeParameter(name, None)) for name in names)
        return Scope(self.scope.file, self.scope.namespace, self.scope.type, merged)

    def _e_block(self, node: Any, target: Any) -> Any:
        self.scopes.append({})
        self._hoist(node[1])
        result = None
        for statement in node[1]:
            result = self.ev(statement, target if len(node[1]) == 1 else None)
        self.scopes.pop()
        return result

    def _e_multi(self, node: Any, target: Any) -> Any:
        result = None
        for child in node[1]:
            result = self.ev(child)
        return result if len(node[1]) == 1 else None

    def _e_local(self, node: Any, target: Any) -> Any:
        declared = None
        if node[1] is not None and node[1][0] != "tvar":
            declared = self.type(node[1])
            if node[1][0] == "tn" and node[1][2] == "var" and declared is not None and declared[0].unknown:
                declared = None
        for designation, value in node[2]:
            type_ = declared
            if value is not None:
                found = self.ev(value, declared)
                if declared is None:
                    type_ = found
            self.designate(designation, type_)
        return None

    def designate(self, designation: Any, type_: Any) -> None:
        """Bring the names of a designation into scope."""
        if designation is None:
            return
        if designation[0] == "d":
            if designation[1] != "_":
                self.scopes[-1][designation[1]] = type_
        elif designation[0] == "dt":
            parts = self.deconstruct(type_, len(designation[1]))
            for inner, part in zip(designation[1], parts, strict=True):
                self.designate(inner, part)
        else:
            self.ev(designation)

    def deconstruct(self, type_: Any, count: int) -> list[Any]:
        """The types that deconstructing a value yields."""
        unknown = [None] * count
        if type_ is None:
            return unknown
        if type_[0] is self.model.tuple:
            return list(type_[1]) if len(type_[1]) == count else unknown
        for member, env, _ in self.algebra.members(type_, "Deconstruct"):
            types = self.model.parameter_types(member)
            if len(types) == count:
                return [self.algebra.substitute(t, env) for t in types]
        head = type_[0]
        if isinstance(head, TypeDef) and head.kind.startswith("record"):
            for ctor in head.members.get(".ctor", ()):
                if ctor.decl.primary and len(ctor.decl.parameters) == count:
                    env = self.algebra.env(type_)
                    return [self.algebra.substitute(t, env) for t in self.model.parameter_types(ctor)]
        return unknown

    def _e_localfn(self, node: Any, target: Any) -> Any:
        _, name, parameters, returns, body, tparams, attributes, constraints, is_async = node
        before = self.scope
        self.scope = self._with_parameters(tparams)
        for attribute in attributes:
            self._attribute(attribute)
        for _, types in constraints:
            for syntax in types:
                self.mention(syntax)
        result = self.type(returns)
        self.scopes.append({p[0]: self.type(p[2]) for p in parameters})
        expected = self.algebra.awaited(result) if is_async else result
        self.returns.append([expected])
        self.ev(body, expected)
        self.returns.pop()
        self.scopes.pop()
        self.scope = before
        if self.scopes and name not in self.scopes[-1]:
            self.scopes[-1][name] = self._local_function(node)
        return None

    def _e_foreach(self, node: Any, target: Any) -> Any:
        _, syntax, designation, source, body, _ = node
        declared = self.type(syntax) if syntax is not None and syntax[0] != "tvar" else None
        element = self.algebra.element(self.ev(source))
        self.scopes.append({})
        if designation is not None and designation[0] == "multi":
            self._assign_parts(designation[1][0], element)
        else:
            self.designate(designation, declared if declared is not None else element)
        self.ev(body)
        self.scopes.pop()
        return None

    def _assign_parts(self, node: Any, type_: Any) -> None:
        """A tuple of declarations or targets on the left of a deconstruction."""
        if node[0] == "tup":
            for argument, part in zip(node[1], self.deconstruct(type_, len(node[1])), strict=True):
                self._assign_parts(argument[2], part)
        elif node[0] == "decl":
            self._declare(node, type_)
        else:
            self.ev(node)

    def _declare(self, node: Any, inferred: Any) -> Any:
        syntax = node[1]
        type_ = self.type(syntax) if syntax is not None and syntax[0] != "tvar" else inferred
        self.designate(node[2], type_)
        return type_

    def _e_switch(self, node: Any, target: Any) -> Any:
        value = self.ev(node[1])
        for section in node[2]:
            self.scopes.append({})
            parts = section[1] if section[0] in ("block", "multi") else [section]
            self._hoist(parts)
            for part in parts:
                if part is not None and part[0] in _PATTERNS:
                    self.pattern(part, value)
                else:
                    self.ev(part)
            self.scopes.pop()
        return None

    def _e_ret(self, node: Any, target: Any) -> Any:
        expected = self.returns[-1][0] if self.returns else None
        type_ = self.ev(node[1], expected)
        if self.returns and node[1] is not None:
            self.returns[-1].append(type_)
        return None

    # -- patterns -----------------------------------------------------------------------------------------------------

    def pattern(self, node: Any, type_: Any) -> None:  # noqa: C901 - one short case per form
        """Bind a pattern that is matched against a value of type `type_`."""
        if node is None:
            return
        op = node[0]
        if op == "pd":
            declared = self.type(node[1]) if node[1] is not None and node[1][0] != "tvar" else type_
            self.designate(node[2], declared)
        elif op == "pt":
            self.type(node[1])
        elif op == "pv":
            self.designate(node[1], type_)
        elif op == "pc":
            if node[1][0] == "tup":
                for argument in node[1][1]:
                    self.pattern(("pc", argument[2]), None)
            else:
                self.ev_value_or_type(node[1], type_)
        elif op == "pr":
            self._recursive_pattern(node, type_)
        elif op == "pb":
            for part in node[1]:
                self.pattern(part, type_)
        elif op == "pn":
            self.pattern(node[1], type_)
        elif op == "prel":
            self.ev(node[1])
        elif op == "pl":
            for part in node[1]:
                self.pattern(part, self.algebra.element(type_))
            self.designate(node[2], type_)
        elif op != "pdisc":
            self.ev_value_or_type(node, type_)

    def _recursive_pattern(self, node: Any, type_: Any) -> None:
        _, syntax, positional, props, designation = node
        matched = self.type(syntax) if syntax is not None and syntax[0] != "tvar" else self.algebra.unwrapped(type_)
        for (_, inner), part in zip(positional, self.deconstruct(matched, len(positional)), strict=True):
            self.pattern(inner, part)
        for name, inner in props:
            found = matched
            if name is not None:
                found = self._property_path(name, matched)
            self.pattern(inner, found)
        self.designate(designation, matched)

    def _property_path(self, node: Any, type_: Any) -> Any:
        if node[0] == "mem":
            type_ = self.algebra.unwrapped(self._property_path(node[1], type_))
            return self._plain_member(type_, node[2], node[3], "read")
        if node[0] == "id":
            return self._plain_member(type_, node[1], node[2], "read")
        return None

    def _plain_member(self, type_: Any, pos: int, name: str, kind: str, how: str = "receiver type") -> Any:
        """A property or field of a known type."""
        if type_ is not None and isinstance(type_[0], Anonymous):
            return type_[0].fields.get(name)
        if type_ is not None and type_[0] is self.model.tuple:
            return self._tuple_part(type_, name)
        for member, env, _ in self.algebra.members(type_, name):
            self.emit(pos, name, member, kind, how)
            return self.algebra.substitute(self.model.member_type(member), env)
        if type_ is None:
            self._maybe(pos, name)
        return None

    def _maybe(self, pos: int, name: str) -> None:
        if name in self.model.member_names:
            self.possible.append(Possible(pos, len(name), name, self.enclosing))

    # -- names --------------------------------------------------------------------------------------------------------

    def ev_value_or_type(self, node: Any, target: Any = None) -> Any:
        """A node that may name a type where an expression stands (patterns, `is`)."""
        if node[0] in ("id", "mem", "aq", "type"):
            found = self.name_of(node, target)
            return found[1] if found is not None and found[0] in ("v", "t") else None
        return self.ev(node, target)

    def _e_id(self, node: Any, target: Any) -> Any:
        return self._as_value(self.simple_name(node, target))

    def _e_mem(self, node: Any, target: Any) -> Any:
        return self._as_value(self.member_access(node, target))

    def _e_aq(self, node: Any, target: Any) -> Any:
        return self._as_value(self.name_of(node, target))

    def _e_type(self, node: Any, target: Any) -> Any:
        self.type(node[1])
        return None

    def _as_value(self, found: Any) -> Any:
        if found is None:
            return None
        if found[0] == "v":
            return found[1]
        if found[0] == "g":
            self._method_group(found[1], None)
        return None

    def name_of(self, node: Any, target: Any = None) -> Any:
        """What a name means: ("v", type), ("t", type), ("ns", name), ("g", Group) or None."""
        op = node[0]
        if op == "id":
            return self.simple_name(node, target)
        if op == "mem":
            return self.member_access(node, target)
        if op == "aq":
            if node[1] == "global":
                return self._in_namespace("", node[2], node[3], node[4])
            left = self.model.lookup(self.scope, node[1], 0)
            if left is not None and left[0] == "ns":
                return self._in_namespace(left[1], node[2], node[3], node[4])
            return None
        if op == "type":
            type_ = self.type(node[1])
            return ("t", type_) if type_ is not None else None
        return ("v", self.ev(node, target))

    def _in_namespace(self, namespace: str, pos: int, name: str, targs: Any) -> Any:
        found = self.model.namespace_type(self.project, namespace, name, len(targs or ()))
        if found is not None:
            self.emit(pos, name, found, "type", "qualified name")
            return ("t", (found, self._targs(targs) or ()))
        inner = f"{namespace}.{name}" if namespace else name
        return ("ns", inner) if inner in self.model.namespaces else None

    def _targs(self, targs: Any) -> tuple[Any, ...] | None:
        return tuple(self.type(t) for t in targs) if targs else None

    def local(self, name: str) -> Any:
        """A local in scope, or `_CLASH`'s absence marker."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return _CLASH

    def simple_name(self, node: Any, target: Any = None, called: bool = False) -> Any:
        """What a simple name means here."""
        _, pos, name, targs = node
        found = self.local(name)
        if found is not _CLASH:
            if isinstance(found, LocalFunction):
                self._targs(targs)
                return ("lf", found)
            return ("v", found)
        if not targs and name in self.scope.method_parameters:
            return ("t", (self.scope.method_parameters[name], ()))
        type_ = self.scope.type
        first = True
        while type_ is not None:
            found = self._in_type(type_, pos, name, targs, first, called)
            if found is not None:
                return found
            first = False
            type_ = type_.outer
        return self._outside(pos, name, targs, called)

    def _in_type(self, type_: TypeDef, pos: int, name: str, targs: Any, first: bool, called: bool) -> Any:
        instance = (type_, type_.own_arguments)
        members = self.algebra.members(instance, name)
        if members:
            how = "scope" if members[0][2] == 0 and first else "inherited member" if members[0][2] else "outer type"
            return self._members_value(members, instance, pos, name, targs, how, called)
        for parameter in type_.parameters:
            if parameter.name == name and not targs:
                return ("t", (parameter, ()))
        nested = self.model.nested_type(instance, name, len(targs or ()))
        if nested is not None:
            self.emit(pos, name, nested[0], "type", "nested type")
            own = self._targs(targs) or ()
            return ("t", (nested[0], own) if own else nested)
        return None

    def _outside(self, pos: int, name: str, targs: Any, called: bool) -> Any:
        arity = len(targs or ())
        for level in namespace_chain(self.scope.namespace):
            for static in self.model.static_imports(self.file, level):
                members = [m for m in self.algebra.members(static, name) if m[0].static or m[0].kind == "enum_member"]
                if members:
                    return self._members_value(members, static, pos, name, targs, "using static", called)
        if called:
            return None
        found = self.model.lookup_outside(self.file, self.scope.namespace, name, arity)
        if found is None:
            return None
        if found[0] == "ns":
            return found
        if isinstance(found[0], TypeDef):
            self.emit(pos, name, found[0], "type", "type name" if found[0].name == name else "alias")
        own = self._targs(targs)
        return ("t", (found[0], own) if own else found)

    def _members_value(
        self,
        members: list[tuple[Member, Env, int]],
        receiver: Any,
        pos: int,
        name: str,
        targs: Any,
        how: str,
        called: bool,
    ) -> Any:
        member, env, _ = members[0]
        if member.kind == "method":
            candidates = [Candidate(m, e, d) for m, e, d in members if m.kind == "method" and self.accessible(m)]
            if candidates:
                return ("g", Group(candidates, self._targs(targs), pos, name, receiver, how))
            return None
        chosen = next((m for m in members if self.accessible(m[0])), None)
        if chosen is None:
            return None
        member, env, _ = chosen
        self.emit(pos, name, member, self.kind, how)
        return ("v", self.algebra.substitute(self.model.member_type(member), env))

    def accessible(self, member: Member) -> bool:
        """Whether a private member may be named here."""
        modifiers = member.decl.modifiers
        owner = member.owner
        if owner.kind == "interface" or "public" in modifiers or "internal" in modifiers or "protected" in modifiers:
            return True
        if member.kind == "enum_member" or member.decl.primary:
            return True
        type_ = self.scope.type
        while type_ is not None:
            if type_ is owner:
                return True
            type_ = type_.outer
        return False

    # -- member access ------------------------------------------------------------------------------------------------

    def member_access(self, node: Any, target: Any = None, called: bool = False) -> Any:
        """What `left.name` means."""
        _, left_node, pos, name, targs = node
        kind, self.kind = self.kind, "read"
        left = self._left(left_node, name)
        self.kind = kind
        if left is None:
            if left_node[0] in ("mem", "call", "ca", "idx", "await", "cmem"):
                return self._instance_member(None, pos, name, targs, called)
            self._targs(targs)
            self._unknown_receiver(left_node, pos, name, called)
            return None
        if left[0] == "ns":
            return self._in_namespace(left[1], pos, name, targs)
        if left[0] == "t":
            return self._static_member(left[1], pos, name, targs, called)
        return self._instance_member(left[1], pos, name, targs, called, self_access=left_node[0] in ("this", "base"))

    def _unknown_receiver(self, left_node: Any, pos: int, name: str, called: bool) -> None:
        if left_node[0] not in ("type",):
            self._maybe(pos, name)

    def _left(self, node: Any, name: str) -> Any:
        """The left of a member access; a name that is both a member and its type's name is what fits."""
        if node[0] == "id":
            before = len(self.references)
            found = self.simple_name(node)
            if found is not None and found[0] == "v" and not node[3]:
                type_ = found[1]
                if type_ is not None and isinstance(type_[0], TypeDef) and type_[0].name == node[2]:
                    as_type = self.model.lookup(self.scope, node[2], 0)
                    if as_type is not None and as_type[0] is type_[0] and self._is_static_name(as_type, name):
                        del self.references[before:]
                        self.emit(node[1], node[2], type_[0], "type", "type name")
                        return ("t", as_type)
            if found is not None and found[0] in ("g", "lf"):
                return None
            return found
        if node[0] in ("mem", "aq", "type"):
            found = self.name_of(node)
            return found if found is None or found[0] != "g" else None
        if node[0] == "base":
            return ("v", self._base_type())
        type_ = self.ev(node)
        return ("v", type_) if type_ is not None else None

    def _is_static_name(self, type_: Any, name: str) -> bool:
        members = self.algebra.members(type_, name)
        if members:
            return members[0][0].static
        return self.model.nested_type(type_, name, 0) is not None

    def _base_type(self) -> Any:
        if self.this is None:
            return None
        for base in self.model.bases(self.this[0]):
            if isinstance(base[0], TypeDef) and base[0].kind != "interface":
                return base
        return (self.model.object, ())

    def _static_member(self, type_: Any, pos: int, name: str, targs: Any, called: bool) -> Any:
        members = self.algebra.members(type_, name)
        if members:
            return self._members_value(members, type_, pos, name, targs, "type name", called)
        if isinstance(type_[0], TypeDef):
            nested = self.model.nested_type(type_, name, len(targs or ()))
            if nested is not None:
                self.emit(pos, name, nested[0], "type", "nested type")
                own = self._targs(targs) or ()
                args = tuple(type_[1]) + own
                return ("t", (nested[0], args) if args else nested)
        self._targs(targs)
        return None

    def _instance_member(  # noqa: C901 - one short case per form
        self, type_: Any, pos: int, name: str, targs: Any, called: bool, self_access: bool = False
    ) -> Any:
        if type_ is None:
            own = self._targs(targs)
            extensions = self._only_extension(name) if called else []
            if extensions:
                return ("g", Group(extensions, own, pos, name, None, "only extension of that name"))
            self._maybe(pos, name)
            return None
        head = type_[0]
        if isinstance(head, Anonymous):
            return ("v", head.fields.get(name))
        if head is self.model.tuple:
            part = self._tuple_part(type_, name)
            if part is not None:
                return ("v", part)
        members = self.algebra.members(type_, name)
        if not members and called and isinstance(head, TypeDef) and head.unknown and not self._extensions(type_, name):
            extensions = self._only_extension(name)
            if extensions:
                own = self._targs(targs)
                return ("g", Group(extensions, own, pos, name, type_, "only extension of that name"))
        if members and members[0][0].kind != "method":
            return self._members_value(members, type_, pos, name, targs, "receiver type", called)
        own = self._targs(targs)
        candidates = [Candidate(m, e, d) for m, e, d in members if self.accessible(m)]
        if candidates and not called:
            return ("g", Group(candidates, own, pos, name, type_, "receiver type"))
        if called:
            extensions = self._extensions(type_, name)
            if candidates or extensions:
                how = "receiver type" if candidates else "extension method"
                return ("g", Group(candidates + extensions, own, pos, name, type_, how))
        elif name in self.model.extensions:
            for candidate in self._extensions(type_, name):
                member = candidate.member
                if member.kind == "property":
                    self.emit(pos, name, member, self.kind, "extension member")
                    return ("v", self.model.member_type(member))
            extensions = self._extensions(type_, name)
            if extensions:
                return ("g", Group(extensions, own, pos, name, type_, "extension method"))
        if isinstance(head, TypeDef) and (head.unknown or self.algebra.has_unknown_base(type_)):
            self._maybe(pos, name)
        return None

    def _tuple_part(self, type_: Any, name: str) -> Any:
        names = type_[2] if len(type_) > 2 else ()
        for index, label in enumerate(names):
            if label == name and index < len(type_[1]):
                return type_[1][index]
        if name.startswith("Item") and name[4:].isdigit() and int(name[4:]) <= len(type_[1]):
            return type_[1][int(name[4:]) - 1]
        return None

    def _extensions(self, receiver: Any, name: str) -> list[Candidate]:
        """Extension methods in scope whose receiver fits, nearest namespaces first."""
        rivals = self.model.extensions.get(name)
        if not rivals:
            return []
        seen = self.model.visible(self.project)
        near = self._namespaces_in_scope()
        out = []
        for member in rivals:
            owner = member.owner
            if owner.project not in seen or member.decl.inactive:
                continue
            depth = near.get(owner.namespace)
            if depth is None and not self._statically_imported(owner):
                continue
            types = self.model.parameter_types(member)
            if not types or not self._receives(types[0], receiver, member):
                continue
            out.append(Candidate(member, {}, 100 + (depth or 0), True))
        return out

    def _only_extension(self, name: str) -> list[Candidate]:
        """Extension methods in scope for a receiver of unknown type, where nothing else is called that."""
        if name not in self.model.extensions:
            return []
        near = self._namespaces_in_scope()
        seen = self.model.visible(self.project)
        out: dict[Any, Candidate] = {}
        for member in self.model.extensions[name]:
            if member.owner.project not in seen or member.owner.namespace not in near:
                continue
            types = self.model.parameter_types(member)
            head = types[0][0] if types and types[0] is not None else None
            # The receiver comes from outside the workspace, so must the type that the method extends.
            if member.owner.external or not isinstance(head, TypeDef) or not head.external or head is self.model.object:
                return []
            out[self.sid(member)] = Candidate(member, {}, 100, True)
        if any(m.kind == "method" and not m.is_extension for m in self.model.member_names.get(name, ())):
            return []
        return list(out.values())

    def _statically_imported(self, owner: TypeDef) -> bool:
        return any(
            t[0] is owner
            for level in namespace_chain(self.scope.namespace)
            for t in self.model.static_imports(self.file, level)
        )

    def _receives(self, pattern: Any, receiver: Any, member: Member) -> bool:
        if pattern is None:
            return True
        head = pattern[0]
        if isinstance(head, TypeParameter):
            return True
        if receiver is None:
            return False
        if isinstance(receiver[0], TypeDef) and receiver[0].unknown:
            if isinstance(head, TypeDef) and head.unknown:
                return head is receiver[0]
            # Nothing is known of the receiver's bases; only an interface or a type of the workspace can be among them.
            return False
        if self.algebra.as_instance(receiver, head) is not None:
            return True
        if head is self.model.object:
            return True
        if isinstance(head, TypeDef) and head.unknown:
            return self.algebra.has_unknown_base(receiver) and not isinstance(receiver[0], TypeParameter)
        return self.algebra.converts(receiver, pattern) >= 2

    def _namespaces_in_scope(self) -> dict[str, int]:
        key = ("namespaces", self.scope.namespace)
        known = self.file.resolved.get(key)
        if known is None:
            known = {}
            for depth, level in enumerate(namespace_chain(self.scope.namespace)):
                known.setdefault(level, depth)
                for name in self.model.imported(self.file, level):
                    known.setdefault(name, depth)
            self.file.resolved[key] = known
        return known

    # -- calls --------------------------------------------------------------------------------------------------------

    def _e_call(self, node: Any, target: Any) -> Any:
        _, function, args_nodes, pos = node
        if function[0] == "id" and function[2] == "nameof" and self.local("nameof") is _CLASH:
            return self._nameof(args_nodes)
        if function[0] == "ca":
            return self._e_ca(("ca", function[1], ("call", function[2], args_nodes, pos)), target)
        found = self._callee(function)
        if found is not None and found[0] == "lf":
            return self._call_local(found[1], args_nodes)
        args = [self._argument(a) for a in args_nodes]
        if found is None or found[0] in ("ns", "t"):
            self._finish_arguments(args, args_nodes)
            return None
        if found[0] == "v":
            parts = self.algebra.delegate_parts(found[1])
            self._finish_arguments(args, args_nodes, parts[0] if parts else None)
            return parts[1] if parts else None
        return self._call_group(found[1], args, args_nodes, target)

    def _callee(self, function: Any) -> Any:
        op = function[0]
        kind, self.kind = self.kind, "read"
        if op == "id":
            found = self.simple_name(function, called=True)
            if found is None:
                self._maybe(function[1], function[2])
        elif op == "mem":
            found = self.member_access(function, called=True)
        elif op == "cmem":
            found = self._instance_member(self.receivers[-1], function[1], function[2], function[3], True)
        else:
            found = ("v", self.ev(function))
        self.kind = kind
        return found

    def _call_local(self, function: LocalFunction, args_nodes: Any) -> Any:
        args = [self._argument(a) for a in args_nodes]
        types = [t for _, t in function.parameters]
        self._finish_arguments(args, args_nodes, types)
        return function.returns

    def _call_group(self, group: Group, args: list[Argument], args_nodes: Any, target: Any) -> Any:
        plain = [c for c in group.candidates if not c.extended]
        choice = self.overloads.choose(plain, args, group.targs) if plain else None
        how = group.how
        given = args
        nodes = list(args_nodes)
        if choice is None:
            extended = [c for c in group.candidates if c.extended]
            if not extended and plain:
                extended = self._late_extensions(group)
            if extended:
                receiver = Argument(None, None, group.receiver, False, None, None, False)
                given = [receiver, *args]
                nodes = [None, *args_nodes]
                choice = self.overloads.choose(extended, given, group.targs)
                how = group.how if group.how.startswith("only") else "extension method"
                if choice is not None and group.how.startswith("only"):
                    choice = choice._replace(sure=False)
        if choice is None:
            self._finish_arguments(args, args_nodes)
            return self._unmatched(group, plain, len(args))
        member = choice.candidate.member
        if choice.tied:
            self.possible.append(Possible(group.pos, len(group.name), group.name, self.enclosing))
        else:
            self.emit(group.pos, group.name, member, "call", how, choice.sure)
            self.call(member, "call")
        self._complete(choice, given, nodes)
        return self.algebra.substitute(self.model.member_type(member), choice.env)

    def _late_extensions(self, group: Group) -> list[Candidate]:
        return self._extensions(group.receiver, group.name) if group.how == "receiver type" else []

    def _unmatched(self, group: Group, plain: list[Candidate], count: int) -> Any:
        """No overload fits what is known of the arguments: a single candidate is still meant."""
        if plain and plain[0].member.owner.external:
            types = {self.algebra.substitute(self.model.member_type(c.member), c.env) for c in plain}
            return types.pop() if len(types) == 1 and not any(c.member.parameters for c in plain) else None
        fitting = [c for c in plain if _takes(c.member, count)]
        if fitting and self.algebra.has_unknown_base((fitting[0].member.owner, ())):
            # A base outside the workspace may declare the overload that fits.
            self.possible.append(Possible(group.pos, len(group.name), group.name, self.enclosing))
            return None
        if len(fitting) == 1:
            candidate = fitting[0]
            self.emit(group.pos, group.name, candidate.member, "call", group.how + ", arguments do not match", False)
            self.call(candidate.member, "call")
            type_ = self.model.member_type(candidate.member)
            return self.algebra.substitute(type_, candidate.env) if not candidate.member.parameters else None
        return None

    def _argument(self, node: Any) -> Argument:
        name_node, modifier, value = node
        name = name_node[1] if name_node is not None else None
        op = value[0] if value is not None else ""
        if op == "lam":
            return Argument(name, modifier, None, False, value, None, False)
        if op in ("inew", "coll") or (op == "default" and value[1] is None) or op == "decl" and value[1][0] == "tvar":
            return Argument(name, modifier, None, False, None, None, True)
        if op == "decl":
            return Argument(name, modifier, self._declare(value, None), False, None, None, False)
        if op == "id" and value[2] == "_" and modifier == "out":
            return Argument(name, modifier, None, False, None, None, True)
        if op in ("tern", "sw") and _is_open(value):
            return Argument(name, modifier, None, False, None, None, True)
        if op in ("id", "mem"):
            before = self.kind
            self.kind = "write" if modifier == "out" else "read"
            found = self.name_of(value)
            self.kind = before
            if found is not None and found[0] == "g":
                return Argument(name, modifier, None, False, None, found[1].candidates, False)._replace(
                    literal=False, group=_Pending(found[1])
                )
            if found is not None and found[0] == "lf":
                return Argument(name, modifier, None, False, None, None, False)
            return Argument(
                name, modifier, found[1] if found is not None and found[0] == "v" else None, False, None, None, False
            )
        type_ = self.ev(value)
        return Argument(name, modifier, type_, op == "lit" or op == "un" and value[2][0] == "lit", None, None, False)

    def _finish_arguments(self, args: list[Argument], nodes: Any, types: list[Any] | None = None) -> None:
        """Bind what was left open when no method was chosen."""
        for index, (arg, node) in enumerate(zip(args, nodes, strict=True)):
            type_ = types[index] if types is not None and index < len(types) else None
            self._finish_argument(arg, node, type_)

    def _finish_argument(self, arg: Argument, node: Any, type_: Any) -> Any:
        if node is None:
            return arg.type
        value = node[2]
        if arg.lambda_node is not None:
            return self._e_lam(value, type_)
        if arg.group is not None:
            return self._method_group(arg.group.group, type_)
        if arg.open:
            if value[0] == "decl":
                return self._declare(value, type_)
            if value[0] == "id":
                return None
            return self.ev(value, type_)
        return arg.type

    def _complete(self, choice: Choice, args: list[Argument], nodes: list[Any]) -> None:  # noqa: C901 - one short case per form
        """Bind lambdas and other open arguments against the chosen parameters, inferring as they tell more."""
        member = choice.candidate.member
        types = self.model.parameter_types(member)
        decl = member.decl
        parameters = decl.parameters
        if member.receiver is not None:
            parameters = (member.receiver.parameters[0], *parameters)
            if not choice.candidate.extended:
                parameters, types = parameters[1:], types[1:]
        wanted = {p for p in member.parameters if p not in choice.env}
        for arg, node, place in zip(args, nodes, choice.places, strict=True):
            if arg.name is not None and node is not None and node[0] is not None:
                pass
            if arg.lambda_node is None and arg.group is None and not arg.open:
                continue
            type_ = types[place]
            if choice.expanded and place == len(parameters) - 1:
                type_ = self.algebra.element(type_)
            expected = self.algebra.substitute(type_, choice.env)
            if arg.lambda_node is not None:
                result = self._e_lam(arg.lambda_node, self._closed(expected, wanted))
                parts = self.algebra.delegate_parts(type_)
                if parts is not None and wanted and result is not None:
                    self._infer_lambda(arg.lambda_node, parts[1], result, choice.env, wanted)
            else:
                result = self._finish_argument(arg, node, expected)
                if arg.group is not None and wanted:
                    parts = self.algebra.delegate_parts(type_)
                    if parts is not None and result is not None:
                        self.algebra.unify(parts[1], result, choice.env, wanted)
                elif wanted and result is not None:
                    self.algebra.unify(type_, result, choice.env, wanted)
        for parameter in wanted:
            choice.env.setdefault(parameter, None)

    def _closed(self, type_: Any, wanted: set[TypeParameter]) -> Any:
        """Parameters not inferred yet count as unknown inside the lambda."""
        return self.algebra.substitute(type_, dict.fromkeys((p for p in wanted), None)) if wanted else type_

    def _infer_lambda(self, node: Any, returns: Any, result: Any, env: Env, wanted: set[TypeParameter]) -> None:
        if node[1] is not None:
            pass
        if node[4] and returns is not None and returns[0] in self.model.tasks:
            if returns[1]:
                self.algebra.unify(returns[1][0], result, env, wanted)
            return
        if node[4] and result is not None:
            tasks = [t for t in self.model.tasks if t.name == "Task" and t.arity == 1]
            result = (tasks[0], (result,))
        self.algebra.unify(returns, result, env, wanted)

    def _method_group(self, group: Group, target: Any) -> Any:
        """A method named without calling it: chosen by the delegate it becomes."""
        parts = self.algebra.delegate_parts(target)
        candidates = group.candidates
        if parts is not None and len(candidates) > 1:
            args = [Argument(None, None, t, False, None, None, False) for t in parts[0]]
            choice = self.overloads.choose([c for c in candidates if not c.extended] or candidates, args, group.targs)
            if choice is not None:
                candidates = [choice.candidate]
            else:
                fits = [c for c in candidates if len(c.member.decl.parameters) == len(parts[0])]
                candidates = fits or candidates
        if len(candidates) == 1 or len({id(c.member) for c in candidates}) == 1:
            chosen = candidates[0]
            self.emit(group.pos, group.name, chosen.member, "read", group.how)
            self.call(chosen.member, "method_group")
            return self.algebra.substitute(self.model.member_type(chosen.member), chosen.env)
        if len({c.member.owner for c in candidates}) >= 1 and candidates:
            self.possible.append(Possible(group.pos, len(group.name), group.name, self.enclosing))
        return None

    def _nameof(self, args_nodes: Any) -> Any:
        for _, _, value in args_nodes:
            before, self.kind = self.kind, "nameof"
            found = self.name_of(value) if value[0] in ("id", "mem", "aq", "type") else None
            self.kind = before
            if found is not None and found[0] == "g":
                group = found[1]
                own = {c.member.owner for c in group.candidates}
                if len(group.candidates) == 1 or len(own) == 1 and len(group.candidates) == 1:
                    self.emit(group.pos, group.name, group.candidates[0].member, "nameof", group.how)
                else:
                    self.possible.append(Possible(group.pos, len(group.name), group.name, self.enclosing))
        return self.model.builtin["string"]

    # -- object creation ----------------------------------------------------------------------------------------------

    def _e_new(self, node: Any, target: Any) -> Any:
        _, syntax, args_nodes, init, pos = node
        type_ = self.type(syntax, "construct") if syntax is not None else None
        args = [self._argument(a) for a in args_nodes]
        at, name = pos, ""
        if syntax is not None and syntax[0] in ("tn", "tq", "ta"):
            at, name = (syntax[1], syntax[2]) if syntax[0] == "tn" else (syntax[2], syntax[3])
        self._construct(type_, args, args_nodes, at, name, "new", False)
        self._initializer(init, type_)
        return type_

    def _e_inew(self, node: Any, target: Any) -> Any:
        _, pos, args_nodes, init = node
        type_ = self.algebra.unwrapped(target)
        args = [self._argument(a) for a in args_nodes]
        if type_ is not None and isinstance(type_[0], TypeDef):
            self.emit(pos, "new", type_[0], "construct", "target type", implicit=True)
        self._construct(type_, args, args_nodes, pos, "new", "new", True)
        self._initializer(init, type_)
        return type_

    def _construct(
        self, type_: Any, args: list[Argument], nodes: Any, pos: int, name: str, kind: str, implicit: bool
    ) -> None:
        """Choose and record the constructor."""
        head = type_[0] if type_ is not None else None
        if not isinstance(head, TypeDef):
            self._finish_arguments(args, nodes)
            return
        if head.kind == "delegate":
            self._finish_arguments(args, nodes, [type_])
            return
        found = [
            Candidate(m, e, d) for m, e, d in self.algebra.members(type_, ".ctor") if "static" not in m.decl.modifiers
        ]
        accessible = [c for c in found if self.accessible(c.member)] or found
        choice = self.overloads.choose(accessible, args, None) if accessible else None
        if choice is None:
            self._finish_arguments(args, nodes)
            if not found and head.kind in ("class", "struct", "record", "record struct"):
                self.call(head, kind)  # the constructor that the compiler supplies
            if len(accessible) == 1 and len(args) == len(accessible[0].member.decl.parameters):
                member = accessible[0].member
                self.emit(pos, name, member, "construct", "type name, arguments do not match", False, implicit)
                self.call(member, kind)
            return
        member = choice.candidate.member
        if not choice.tied:
            self.emit(pos, name, member, "construct", "type name", choice.sure, implicit)
            self.call(member, kind)
        self._complete(choice, args, list(nodes))

    def _initializer(self, init: Any, type_: Any) -> None:
        if init is None:
            return
        element = self.algebra.element(type_)
        for item in init[1]:
            if item is None:
                continue
            if item[0] == "asg" and item[2][0] == "id":
                _, _, left, right, _ = item
                member = self._plain_member(type_, left[1], left[2], "write", "object initialiser")
                if right[0] == "init":
                    self._initializer(right, member)
                else:
                    self.ev(right, member)
            elif item[0] == "asg" and item[2][0] == "cidx":
                self.receivers.append(type_)
                value = self.ev(item[2])
                self.receivers.pop()
                if item[3][0] == "init":
                    self._initializer(item[3], value)
                else:
                    self.ev(item[3], value)
            elif item[0] == "init":
                self._add_call(type_, item[1])
            else:
                self.ev(item, element)

    def _add_call(self, type_: Any, values: list[Any]) -> None:
        """`{ key, value }` in a collection initialiser stands for a call of Add."""
        adds = [m for m in self.algebra.members(type_, "Add") if len(m[0].decl.parameters) == len(values)]
        types: list[Any] = [None] * len(values)
        if adds:
            member, env, _ = adds[0]
            types = [self.algebra.substitute(t, env) for t in self.model.parameter_types(member)]
        for value, expected in zip(values, types, strict=True):
            self.ev(value, expected)

    def _e_init(self, node: Any, target: Any) -> Any:
        self._initializer(node, target)
        return target

    def _e_anon(self, node: Any, target: Any) -> Any:
        fields = {}
        for name, value in node[1]:
            type_ = self.ev(value)
            if name is not None:
                fields[name] = type_
        return (Anonymous(fields), ())

    def _e_with(self, node: Any, target: Any) -> Any:
        type_ = self.ev(node[1], target)
        for pos, name, value in node[2]:
            expected = self._plain_member(type_, pos, name, "write", "with expression")
            self.ev(value, expected)
        return type_

    def _e_arr(self, node: Any, target: Any) -> Any:
        _, syntax, children = node
        if syntax is not None:
            type_ = self.type(syntax)
            element = type_[1][0] if type_ is not None and type_[0] is self.model.array else None
            for child in children:
                if child[0] == "init":
                    for item in child[1]:
                        self._array_item(item, type_)
                else:
                    self.ev(child, element)
            return type_
        types: list[Any] = []
        for child in children:
            if child[0] == "init":
                expected = self.algebra.element(target)
                types.extend(self.ev(item, expected) for item in child[1])
            else:
                self.ev(child)
        element = self._common(types)
        if element is None and target is not None and target[0] is self.model.array:
            return target
        return (self.model.array, (element,))

    def _array_item(self, item: Any, type_: Any) -> None:
        element = type_[1][0] if type_ is not None and type_[0] is self.model.array else None
        if item is not None and item[0] == "init":
            for inner in item[1]:
                self._array_item(inner, type_)
        else:
            self.ev(item, element)

    def _e_coll(self, node: Any, target: Any) -> Any:
        element = self.algebra.element(target)
        for item in node[1]:
            self.ev(item, element)
        return target

    def _e_spread(self, node: Any, target: Any) -> Any:
        self.ev(node[1])
        return None

    # -- lambdas ------------------------------------------------------------------------------------------------------

    def _e_lam(self, node: Any, target: Any) -> Any:
        """Bind a lambda against a delegate type; gives the type of what it returns."""
        _, params, body, is_block, is_async, returns_syntax = node
        parts = self.algebra.delegate_parts(target)
        scope: dict[str, Any] = {}
        for index, (name, _, syntax, _) in enumerate(params or ()):
            if syntax is not None and syntax[0] != "tvar":
                scope[name] = self.type(syntax)
            else:
                given = parts[0][index] if parts is not None and index < len(parts[0]) else None
                scope[name] = given
        expected = self.type(returns_syntax) if returns_syntax is not None else parts[1] if parts is not None else None
        if is_async and expected is not None:
            expected = self.algebra.awaited(expected)
        self.scopes.append(scope)
        collected: list[Any] = [expected]
        self.returns.append(collected)
        result = self.ev(body, expected)
        self.returns.pop()
        self.scopes.pop()
        if is_block:
            return self._common(collected[1:])
        return result

    def _common(self, types: list[Any]) -> Any:
        """The type that several branches share: the first that the others convert to."""
        known = [t for t in types if t is not None and t is not NULL]
        if not known:
            return None
        best = known[0]
        for type_ in known[1:]:
            if type_ != best and self.algebra.converts(best, type_) >= 2 > self.algebra.converts(type_, best):
                best = type_
        return best

    # -- other expressions --------------------------------------------------------------------------------------------

    def _e_ca(self, node: Any, target: Any) -> Any:
        receiver = self.algebra.unwrapped(self.ev(node[1]))
        self.receivers.append(receiver)
        result = self.ev(node[2], target)
        self.receivers.pop()
        return self.model.nullable_of(result) if result is not None else None

    def _e_cmem(self, node: Any, target: Any) -> Any:
        found = self._instance_member(self.receivers[-1] if self.receivers else None, node[1], node[2], node[3], False)
        return self._as_value(found)

    def _e_cidx(self, node: Any, target: Any) -> Any:
        args = [self._argument(a) for a in node[1]]
        return self._index(self.receivers[-1] if self.receivers else None, args, node[1], node[2])

    def _e_idx(self, node: Any, target: Any) -> Any:
        before, self.kind = self.kind, "read"
        receiver = self.ev(node[1])
        args = [self._argument(a) for a in node[2]]
        self.kind = before
        return self._index(receiver, args, node[2], node[3])

    def _index(self, receiver: Any, args: list[Argument], nodes: Any, pos: int) -> Any:
        if receiver is not None and any(n[2] is not None and n[2][0] == "range" for n in nodes):
            self._finish_arguments(args, nodes)
            return receiver
        candidates = [Candidate(m, e, d) for m, e, d in self.algebra.members(receiver, "this[]")]
        choice = self.overloads.choose(candidates, args, None) if candidates else None
        if choice is None:
            self._finish_arguments(args, nodes)
            if receiver is not None and receiver[0] in (self.model.array, self.model.pointer):
                return receiver[1][0]
            return None
        if not choice.tied:
            self.emit(pos, "[", choice.candidate.member, "index", "receiver type", choice.sure, True)
        self._complete(choice, args, list(nodes))
        return self.algebra.substitute(self.model.member_type(choice.candidate.member), choice.env)

    def _e_lit(self, node: Any, target: Any) -> Any:
        return NULL if node[1] == "null" else self.model.builtin[node[1]]

    def _e_istr(self, node: Any, target: Any) -> Any:
        for child in node[1]:
            self.ev(child)
        return self.model.builtin["string"]

    def _e_this(self, node: Any, target: Any) -> Any:
        return self.this

    def _e_base(self, node: Any, target: Any) -> Any:
        return self._base_type()

    def _e_cast(self, node: Any, target: Any) -> Any:
        type_ = self.type(node[1])
        self.ev(node[2], type_)
        return type_

    def _e_as(self, node: Any, target: Any) -> Any:
        self.ev(node[1])
        return self.type(node[2])

    def _e_is(self, node: Any, target: Any) -> Any:
        value = self.ev(node[1])
        syntax = node[2]
        if syntax is not None and syntax[0] in ("tn", "tq") and self._is_constant(syntax):
            self.pattern(("pc", _as_expression(syntax)), value)
        else:
            self.type(syntax)
        return self.model.builtin["bool"]

    def _is_constant(self, syntax: Any) -> bool:
        found = self.model.resolve_name(syntax, self.scope)
        return found is None or found[0] == "ns" or isinstance(found[0], TypeDef) and found[0].unknown

    def _e_isp(self, node: Any, target: Any) -> Any:
        self.pattern(node[2], self.ev(node[1]))
        return self.model.builtin["bool"]

    def _e_bin(self, node: Any, target: Any) -> Any:
        # Long chains lean to the left: walk down iteratively.
        chain = []
        while node[0] == "bin":
            chain.append(node)
            node = node[2]
        left = self.ev(node, target if chain[-1][1] == "??" else None)
        for item in reversed(chain):
            left = self._binary(item, left, target)
        return left

    def _binary(self, node: Any, left: Any, target: Any) -> Any:
        _, operator, _, right_node, pos = node
        if operator == "??":
            right = self.ev(right_node, left if left is not None else target)
            inner = self.algebra.unwrapped(left)
            return inner if inner is not None and inner is not NULL else right
        right = self.ev(right_node, left if operator in ("==", "!=") else None)
        user = self._operator(operator, left, right, pos) if operator in OPERATOR_KINDS else None
        if user is not None:
            return user
        if operator in _BOOL_OPERATORS:
            return self.model.builtin["bool"]
        return self._arithmetic(operator, left, right)

    def _operator(self, operator: str, left: Any, right: Any, pos: int) -> Any:
        candidates: list[Candidate] = []
        heads = set()
        operands = [left] if right is _CLASH else [left, right]
        for side in operands:
            side = self.algebra.unwrapped(side)
            if side is None or side is NULL or not isinstance(side[0], TypeDef) or side[0] in heads:
                continue
            heads.add(side[0])
            candidates.extend(Candidate(m, e, d) for m, e, d in self.algebra.members(side, "op " + operator))
        if not candidates:
            return None
        args = [Argument(None, None, self.algebra.unwrapped(t), False, None, None, False) for t in operands]
        candidates = [c for c in candidates if len(c.member.decl.parameters) == len(args)]
        choice = self.overloads.choose(candidates, args, None)
        if choice is None:
            return None
        self.emit(pos, operator, choice.candidate.member, "operator", "operand types", choice.sure, True)
        self.call(choice.candidate.member, "operator")
        return self.algebra.substitute(self.model.member_type(choice.candidate.member), choice.env)

    def _arithmetic(self, operator: str, left: Any, right: Any) -> Any:
        string = self.model.builtin["string"]
        if operator == "+" and (left == string or right == string):
            return string
        left, right = self.algebra.unwrapped(left), self.algebra.unwrapped(right)
        if left is None or right is None:
            return None
        if isinstance(left[0], TypeDef) and isinstance(right[0], TypeDef):
            if left[0].kind in ("enum", "delegate") and left[0] is right[0]:
                return left
            if left[0].name in _RANK and right[0].name in _RANK and left[0].external and right[0].external:
                rank = max(_RANK.index(left[0].name), _RANK.index(right[0].name), _RANK.index("Int32"))
                if operator in ("<<", ">>", ">>>"):
                    rank = max(_RANK.index(left[0].name), _RANK.index("Int32"))
                name = _RANK[rank]
                return (self.model.types["*external*"][("System", name)][0], ())
            if left[0] is self.model.pointer:
                return left
            if left[0] is right[0]:
                return left
            if left[0].kind == "enum":
                return left
        return None

    def _e_un(self, node: Any, target: Any) -> Any:
        _, operator, inner, pos = node
        type_ = self.ev(inner, target)
        if operator in ("!", "-", "+", "~", "++", "--"):
            user = self._operator(operator, type_, _CLASH, pos)
            if user is not None:
                return user
        if operator == "!":
            return self.model.builtin["bool"]
        if operator == "&":
            return (self.model.pointer, (type_,))
        if operator == "*":
            return type_[1][0] if type_ is not None and type_[0] is self.model.pointer else None
        return type_

    def _e_asg(self, node: Any, target: Any) -> Any:
        _, operator, left, right, pos = node
        if left[0] == "tup":
            type_ = self.ev(right)
            self._assign_parts(left, type_)
            return type_
        if left[0] == "decl":
            type_ = self.ev(right)
            self._declare(left, type_)
            return type_
        if left[0] == "id" and left[2] == "_" and self.local("_") is _CLASH:
            return self.ev(right)
        before, self.kind = self.kind, "write"
        type_ = self.ev(left)
        self.kind = before
        value = self.ev(right, type_)
        if operator not in ("=", "??=") and operator[:-1] in OPERATOR_KINDS:
            self._operator(operator[:-1], type_, value, pos)
        return type_ if type_ is not None else value

    def _e_tern(self, node: Any, target: Any) -> Any:
        self.ev(node[1])
        a = self.ev(node[2], target)
        b = self.ev(node[3], target if target is not None else a)
        return self._common([a, b])

    def _e_await(self, node: Any, target: Any) -> Any:
        return self.algebra.awaited(self.ev(node[1]))

    def _e_typeof(self, node: Any, target: Any) -> Any:
        self.type(node[1], "typeof")
        return (self.model.types["*external*"][("System", "Type")][0], ())

    def _e_default(self, node: Any, target: Any) -> Any:
        return self.type(node[1]) if node[1] is not None else target

    def _e_refx(self, node: Any, target: Any) -> Any:
        return self.ev(node[1], target)

    def _e_throw(self, node: Any, target: Any) -> Any:
        self.ev(node[1])
        return None

    def _e_range(self, node: Any, target: Any) -> Any:
        for child in node[1]:
            self.ev(child)
        return None

    def _e_tup(self, node: Any, target: Any) -> Any:
        expected = target[1] if target is not None and target[0] is self.model.tuple else ()
        types: list[Any] = []
        names: list[Any] = []
        for index, (name, _, value) in enumerate(node[1]):
            types.append(self.ev(value, expected[index] if index < len(expected) else None))
            label = (
                name[1]
                if name is not None
                else value[2]
                if value[0] == "id"
                else value[3]
                if value[0] == "mem"
                else None
            )
            names.append(label)
        if expected and len(expected) == len(types):
            types = [e if e is not None else t for e, t in zip(expected, types, strict=True)]
            names = list(target[2]) if len(target) > 2 and len(target[2]) == len(types) else names
        return (self.model.tuple, tuple(types), tuple(names))

    def _e_decl(self, node: Any, target: Any) -> Any:
        return self._declare(node, target)

    def _e_sw(self, node: Any, target: Any) -> Any:
        value = self.ev(node[1])
        types: list[Any] = []
        for pattern, when, result in node[2]:
            self.scopes.append({})
            self.pattern(pattern, value)
            for condition in when:
                self.ev(condition)
            types.append(self.ev(result, target))
            self.scopes.pop()
        return self._common(types)

    def _e_query(self, node: Any, target: Any) -> Any:
        self.scopes.append({})
        result = None
        for clause in node[1]:
            result = self._clause(clause, result)
        self.scopes.pop()
        return result

    def _clause(self, clause: Any, result: Any) -> Any:
        op = clause[0]
        if op == "from":
            declared = self.type(clause[1]) if clause[1] is not None else None
            source = self.ev(clause[3])
            self.scopes[-1][clause[2]] = declared if declared is not None else self.algebra.element(source)
            return source if result is None else result
        if op == "let":
            self.scopes[-1][clause[1]] = self.ev(clause[2])
        elif op == "join":
            rest = clause[3]
            source = self.ev(rest[0]) if rest else None
            self.scopes[-1][clause[2]] = self.type(clause[1]) or self.algebra.element(source)
            for part in rest[1:]:
                self.ev(part)
            if clause[4]:
                self.scopes[-1][clause[4]] = source
        elif op == "into":
            self.scopes[-1][clause[1]] = self.algebra.element(result)
        elif op == "select":
            type_ = self.ev(clause[1][-1]) if clause[1] else None
            return self._sequence(type_)
        else:
            types = [self.ev(part) for part in clause[1]]
            if op == "group" and len(types) == 2:
                head = self.model.types["*external*"][("System.Linq", "IGrouping")][0]
                return self._sequence((head, (types[1], types[0])))
        return result

    def _sequence(self, type_: Any) -> Any:
        heads = self.model.types["*external*"][("System.Collections.Generic", "IEnumerable")]
        return (heads[0], (type_,))


class _Pending:
    """A method group that waits for the type of its parameter; iterates over its candidates."""

    __slots__ = ("group",)

    def __init__(self, group: Group) -> None:
        self.group = group

    def __iter__(self) -> Any:
        return iter(self.group.candidates)


_PATTERNS = frozenset(["pc", "pt", "pd", "pr", "pb", "pn", "prel", "pl", "pv", "pdisc"])


def _is_open(node: Any) -> bool:
    """Whether a conditional or switch consists of parts that take their type from the target."""
    if node[0] == "tern":
        return _is_open(node[2]) or _is_open(node[3])
    if node[0] == "sw":
        return all(_is_open(arm[2]) for arm in node[2])
    return node[0] in ("inew", "lam", "coll") or node[0] == "default" and node[1] is None


def _as_expression(syntax: Any) -> Any:
    if syntax[0] == "tn":
        return ("id", syntax[1], syntax[2], syntax[3] or None)
    if syntax[0] == "tq":
        return ("mem", _as_expression(syntax[1]), syntax[2], syntax[3], syntax[4] or None)
    return ("type", syntax)


def _takes(member: Member, count: int) -> bool:
    """Whether a member can be called with so many arguments."""
    parameters = member.decl.parameters
    required = sum(not p.optional and p.modifier != "params" for p in parameters)
    return required <= count and (count <= len(parameters) or bool(parameters) and parameters[-1].modifier == "params")


def _last_name(syntax: Any) -> str:
    return str(syntax[2] if syntax[0] == "tn" else syntax[3])


__all__ = ["Bound", "FileBinder", "Possible", "Sid", "TYPE_KINDS"]
