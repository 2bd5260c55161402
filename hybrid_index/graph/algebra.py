"""Operations on types: substitution, members along the hierarchy, conversions, inference.

Everything answers under uncertainty: a type that is not known (None) may convert to anything, and says so.
"""

from __future__ import annotations

from typing import Any

from hybrid_index.graph.model import VALUE_KINDS, Member, Model, Type, TypeDef, TypeParameter

NO, MAYBE, YES, SAME = 0, 1, 2, 3
NULL: Type = ("null", ())
Env = dict[TypeParameter, Any]

_WIDER = {
    "SByte": ("Int16", "Int32", "Int64", "Single", "Double", "Decimal"),
    "Byte": ("Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal"),
    "Int16": ("Int32", "Int64", "Single", "Double", "Decimal"),
    "UInt16": ("Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal"),
    "Int32": ("Int64", "Single", "Double", "Decimal", "IntPtr"),
    "UInt32": ("Int64", "UInt64", "Single", "Double", "Decimal"),
    "Int64": ("Single", "Double", "Decimal"),
    "UInt64": ("Single", "Double", "Decimal"),
    "Char": ("UInt16", "Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal"),
    "Single": ("Double",),
}
# Constants of type int also convert to the narrower integers.
_FROM_LITERAL = frozenset(["SByte", "Byte", "Int16", "UInt16", "UInt32", "UInt64", "UIntPtr", "IntPtr"])
_OVERLOADED = frozenset(["method", "indexer", "constructor", "operator", "conversion"])
_NUMERIC = frozenset(_WIDER) | {"Double", "Decimal", "IntPtr", "UIntPtr"}
_PRIMITIVE = _NUMERIC | {"Boolean", "String", "Void", "Guid", "DateTime", "TimeSpan", "DateTimeOffset", "Nullable"}


class Algebra:
    """Type operations over one model."""

    def __init__(self, model: Model) -> None:
        self.model = model

    # -- substitution -------------------------------------------------------------------------------------------------

    def substitute(self, type_: Any, env: Env) -> Any:
        """`type_` with the type parameters of `env` replaced; None where an argument is unknown."""
        if type_ is None or not env:
            return type_
        head, args = type_[0], type_[1]
        if isinstance(head, TypeParameter):
            return env.get(head, type_)
        if not args:
            # An open nested type takes the enclosing arguments along.
            if isinstance(head, TypeDef) and head.outer is not None:
                params = head.all_parameters
                if params and len(params) > len(head.parameters) and any(p in env for p in params):
                    return (head, tuple(env.get(p) for p in params))
            return type_
        new = tuple(self.substitute(a, env) for a in args)
        if new == args:
            return type_
        if head is self.model.nullable:
            return self.model.nullable_of(new[0]) if new[0] is not None else (head, new)
        return (head, new, *type_[2:])

    def env(self, type_: Type) -> Env:
        """The binding of a constructed type's parameters."""
        head, args = type_[0], type_[1]
        if not args or not isinstance(head, TypeDef):
            return {}
        params = head.all_parameters
        if len(params) != len(args):
            params = head.parameters
        return dict(zip(params, args, strict=False))

    # -- hierarchy ----------------------------------------------------------------------------------------------------

    def supertypes(self, type_: Type) -> list[Type]:
        """A type and everything it inherits, nearest first, arguments substituted."""
        head = type_[0]
        if isinstance(head, TypeParameter):
            out: list[Type] = []
            for constraint in self.constraints(head):
                out.extend(t for t in self.supertypes(constraint) if t not in out)
            return out
        if not isinstance(head, TypeDef):
            return []
        closure = self._closure(head)
        args = type_[1]
        if not args:
            return [type_, *closure[1:]]
        env = self.env(type_)
        return [type_, *(self.substitute(t, env) for t in closure[1:])]

    def _closure(self, head: TypeDef) -> list[Type]:
        known = head.lookup_cache.get("*supertypes")
        if known is None:
            seen: list[Type] = [(head, head.own_arguments)]
            heads: set[Any] = {head}
            classes: list[Type] = []
            interfaces: list[Type] = []
            current: Type | None = seen[0]
            while current is not None:
                following: Type | None = None
                env = {} if current is seen[0] else self.env(current)
                for base in self.model.bases(current[0]):
                    made = self.substitute(base, env)
                    if isinstance(made[0], TypeDef) and made[0].kind != "interface" and following is None:
                        if made[0] not in heads:
                            heads.add(made[0])
                            classes.append(made)
                            following = made
                    elif made not in interfaces:
                        interfaces.append(made)
                current = following
            for item in interfaces:
                if isinstance(item[0], TypeDef):
                    env = self.env(item)
                    for base in self.model.bases(item[0]):
                        made = self.substitute(base, env)
                        if made not in interfaces:
                            interfaces.append(made)
            known = seen + classes + interfaces
            if self.model.object not in heads:
                known.append((self.model.object, ()))
            head.lookup_cache["*supertypes"] = known
        return known

    def constraints(self, parameter: TypeParameter) -> list[Type]:
        """What a type parameter is known to be."""
        if parameter.scope is None:
            return [(self.model.object, ())]
        types = [self.model.resolve(c, parameter.scope) for c in parameter.constraints]
        found = [t for t in types if t is not None and t[0] is not parameter]
        return [*found, (self.model.object, ())]

    def has_unknown_base(self, type_: Type | None) -> bool:
        """Whether something that `type_` inherits is declared nowhere in sight."""
        if type_ is None:
            return True
        return any(isinstance(t[0], TypeDef) and t[0].unknown for t in self.supertypes(type_))

    def as_instance(self, type_: Type | None, head: Any) -> Type | None:
        """The supertype of `type_` whose definition is `head`."""
        if type_ is None:
            return None
        if type_[0] is head:
            return type_
        for base in self.supertypes(type_):
            if base[0] is head:
                return base
        return None

    def members(self, type_: Type | None, name: str) -> list[tuple[Member, Env, int]]:
        """Members called `name` with their environment and inheritance depth; overridden and hidden ones left out."""
        if type_ is None:
            return []
        head = type_[0]
        if isinstance(head, TypeParameter):
            out: list[tuple[Member, Env, int]] = []
            for constraint in self.constraints(head):
                out.extend(self.members(constraint, name))
            return out
        if not isinstance(head, TypeDef):
            return []
        found = head.lookup_cache.get(name)
        if found is None:
            found = head.lookup_cache[name] = self._find_members(head, name)
        if not found:
            return []
        if not type_[1]:
            return [(m, {}, d) if b is None else (m, self.env(b), d) for m, b, d in found]
        env = self.env(type_)
        return [(m, env, d) if b is None else (m, self.env(self.substitute(b, env)), d) for m, b, d in found]

    def _find_members(self, head: TypeDef, name: str) -> list[tuple[Member, Type | None, int]]:
        out: list[tuple[Member, Type | None, int]] = []
        interface = head.kind == "interface"
        for depth, base in enumerate(self._closure(head)):
            definition = base[0]
            if not isinstance(definition, TypeDef):
                continue
            if depth and not interface and definition.kind == "interface" and out:
                break
            for member in definition.members.get(name, ()):
                if member.decl.explicit_interface is not None or member.decl.inactive:
                    continue
                if out and not self._adds(out, member):
                    continue
                out.append((member, None if depth == 0 else base, depth))
            if depth == 0 and name != ".ctor" and not out and name in definition.nested:
                break
        if name == ".ctor":
            out = [o for o in out if o[2] == 0]
        return out

    def _adds(self, out: list[tuple[Member, Type | None, int]], member: Member) -> bool:
        """Whether an inherited member is visible beside those found in more derived types."""
        if member.kind not in _OVERLOADED or any(m.kind not in _OVERLOADED for m, _, _ in out):
            return False
        mine = self.signature(member)
        return not any(self.signature(m) == mine and m.owner is not member.owner for m, _, _ in out)

    def signature(self, member: Member) -> tuple[Any, ...]:
        """A member's parameters as far as telling overloads apart needs."""
        return (
            len(member.decl.type_parameters),
            tuple(self._shape(t) for t in self.model.parameter_types(member)),
        )

    def _shape(self, type_: Any) -> Any:
        if type_ is None:
            return None
        head = type_[0]
        if isinstance(head, TypeParameter):
            return "*"
        return (head, tuple(self._shape(a) for a in type_[1]))

    # -- delegates, sequences -----------------------------------------------------------------------------------------

    def delegate_parts(self, type_: Type | None) -> tuple[list[Any], Any] | None:
        """Parameter types and return type of a delegate (or of an expression tree of one)."""
        if type_ is None or not isinstance(type_[0], TypeDef):
            return None
        head = type_[0]
        if head.name == "Expression" and head.external and type_[1]:
            return self.delegate_parts(type_[1][0])
        if head.kind != "delegate":
            return None
        invoke = head.members["Invoke"][0]
        env = self.env(type_)
        returns = invoke.rtype
        if returns is False:
            scope = self.model.scope_of(head, invoke.facts)
            returns = invoke.rtype = self.model.resolve(invoke.decl.type, scope)
        parameters = [self.substitute(t, env) for t in self.model.parameter_types(invoke)]
        return parameters, self.substitute(returns, env)

    def element(self, type_: Type | None) -> Any:
        """What enumerating a value yields."""
        if type_ is None:
            return None
        if type_[0] is self.model.array:
            return type_[1][0]
        external = self.model.types["*external*"]
        for key in ("IEnumerable", "IAsyncEnumerable"):
            for head in external[("System.Collections.Generic", key)]:
                found = self.as_instance(type_, head)
                if found is not None and found[1]:
                    return found[1][0]
        for member, env, _ in self.members(type_, "GetEnumerator"):
            enumerator = self.substitute(self.model.member_type(member), env)
            for current, inner, _ in self.members(enumerator, "Current"):
                return self.substitute(self.model.member_type(current), inner)
        return None

    def awaited(self, type_: Type | None) -> Any:
        """The result of awaiting a value."""
        if type_ is None or not isinstance(type_[0], TypeDef):
            return None
        head = type_[0]
        if head in self.model.tasks or head.name in ("ConfiguredTaskAwaitable", "ConfiguredValueTaskAwaitable"):
            return type_[1][0] if type_[1] else self.model.builtin["void"]
        for member, env, _ in self.members(type_, "GetAwaiter"):
            awaiter = self.substitute(self.model.member_type(member), env)
            for result, inner, _ in self.members(awaiter, "GetResult"):
                return self.substitute(self.model.member_type(result), inner)
        return None

    def unwrapped(self, type_: Type | None) -> Type | None:
        """`T` of a `T?`."""
        if type_ is not None and type_[0] is self.model.nullable:
            return type_[1][0] if type_[1] else None
        return type_

    # -- conversions --------------------------------------------------------------------------------------------------

    def converts(self, source: Any, target: Any, literal: bool = False) -> int:
        """How `source` converts implicitly to `target`: NO, MAYBE, YES or SAME."""
        if source is None or target is None:
            return MAYBE
        if source == target:
            return SAME
        shead, thead = source[0], target[0]
        if isinstance(thead, TypeParameter):
            return SAME if shead is thead else MAYBE if isinstance(shead, TypeParameter) else YES
        if source is NULL:
            if isinstance(thead, TypeDef) and (thead.kind in VALUE_KINDS or thead is self.model.tuple):
                return YES if thead is self.model.nullable else NO
            return YES
        if target is NULL:
            return MAYBE
        if thead is self.model.object:
            return YES
        if shead is thead:
            return self._arguments_convert(source[1], target[1])
        if thead is self.model.nullable:
            inner = self.converts(self.unwrapped(source), target[1][0] if target[1] else None, literal)
            return min(inner, YES)
        if shead is self.model.nullable:
            return NO if isinstance(thead, TypeDef) and thead.kind in VALUE_KINDS else MAYBE
        return self._head_converts(source, target, literal)

    def _head_converts(self, source: Type, target: Type, literal: bool) -> int:  # noqa: C901 - one short case per form
        shead, thead = source[0], target[0]
        if not isinstance(thead, TypeDef):
            return MAYBE
        if isinstance(shead, TypeDef) and shead.external and thead.external:
            sname, tname = shead.name, thead.name
            if sname in _NUMERIC and tname in _NUMERIC:
                if tname in _WIDER.get(sname, ()):
                    return YES
                return YES if literal and sname == "Int32" and tname in _FROM_LITERAL else NO
        for base in self.supertypes(source):
            if base[0] is thead:
                return min(YES, self._arguments_convert(base[1], target[1]) or NO)
        if shead is self.model.array and thead.name in ("Span", "ReadOnlySpan", "Memory", "ReadOnlyMemory"):
            return YES if thead.external else MAYBE
        if isinstance(shead, TypeDef) and self._user_conversion(source, target):
            return YES
        if not isinstance(shead, TypeDef):
            return MAYBE if isinstance(shead, TypeParameter) and thead.kind == "interface" else NO
        if shead.unknown or thead.unknown:
            if (shead.external and shead.name in _PRIMITIVE) or (thead.external and thead.name in _PRIMITIVE):
                return MAYBE if shead.unknown else NO if not thead.unknown else MAYBE
            return MAYBE
        if self.has_unknown_base(source) and thead.external:
            return MAYBE
        if shead.external and thead.external and shead.name not in _PRIMITIVE and thead.name not in _PRIMITIVE:
            return MAYBE if shead.kind != "interface" and thead.kind == "interface" else NO
        return NO

    def _user_conversion(self, source: Type, target: Type) -> bool:
        for side in (source, target):
            for base in self.supertypes(side):
                if not isinstance(base[0], TypeDef):
                    continue
                for member in base[0].members.get("op operator", ()):
                    if member.kind != "conversion" or "implicit" not in member.decl.doc_id.lower():
                        continue
                    env = self.env(base)
                    takes = self.model.parameter_types(member)
                    gives = self.substitute(self.model.member_type(member), env)
                    if takes and gives is not None and gives[0] is target[0]:
                        taken = self.substitute(takes[0], env)
                        if taken is None or self.as_instance(source, taken[0]) is not None:
                            return True
        return False

    def _arguments_convert(self, source: tuple[Any, ...], target: tuple[Any, ...]) -> int:
        if not source or not target:
            return SAME  # a nested type named from inside leaves the enclosing arguments open
        if len(source) != len(target):
            return MAYBE
        worst = SAME
        for a, b in zip(source, target, strict=True):
            if a is None or b is None:
                worst = min(worst, MAYBE)
            elif a != b:
                result = self.converts(a, b)
                if result == NO:
                    return NO
                # Variance is not tracked: an argument that converts may do.
                worst = min(worst, YES if isinstance(b[0], TypeParameter) else MAYBE)
        return worst

    # -- inference ----------------------------------------------------------------------------------------------------

    def unify(self, pattern: Any, actual: Any, env: Env, wanted: set[TypeParameter]) -> None:  # noqa: C901 - one short case per form
        """Bind the type parameters in `wanted` that `pattern` mentions, from a value of type `actual`."""
        if pattern is None or actual is None or actual is NULL:
            return
        head = pattern[0]
        if isinstance(head, TypeParameter):
            if head in wanted:
                known = env.get(head)
                if known is None:
                    env[head] = actual
                elif known != actual and self.converts(known, actual) >= YES > self.converts(actual, known):
                    env[head] = actual
            return
        if not pattern[1]:
            return
        if head is self.model.nullable and actual[0] is not head:
            self.unify(pattern[1][0], actual, env, wanted)
            return
        if head is self.model.tuple and actual[0] is head:
            for a, b in zip(pattern[1], actual[1], strict=False):
                self.unify(a, b, env, wanted)
            return
        found = self.as_instance(actual, head)
        if found is None and actual[0] is self.model.array and isinstance(head, TypeDef) and len(pattern[1]) == 1:
            if head.name in ("Span", "ReadOnlySpan", "Memory", "ReadOnlyMemory"):
                self.unify(pattern[1][0], actual[1][0], env, wanted)
            return
        if (
            found is None
            and isinstance(actual[0], TypeDef)
            and actual[0].name == "String"
            and head.name == "ReadOnlySpan"
        ):
            self.unify(pattern[1][0], self.model.builtin["char"], env, wanted)
            return
        if found is not None and len(found[1]) == len(pattern[1]):
            for a, b in zip(pattern[1], found[1], strict=True):
                self.unify(a, b, env, wanted)
