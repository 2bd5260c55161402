"""Bodies and types of a C# file as plain nested tuples, the neutral form that `graph` binds.

Every tuple starts with an operation name. `pos` is `line << 20 | column` (1-based, columns in UTF-16 units). Only
strings, ints, tuples, lists and None occur, so that a lowered file can be marshalled and sent between processes.

Types         tn pos name args | tq left pos name args | ta alias pos name args | tp keyword | tarr type | tnull type
              tptr type | ttup ((type, name), ...) | tvar | tfn | tkind word (struct or class, in constraints)
Expressions   id pos name targs | mem expr pos name targs | cmem pos name targs | aq alias pos name targs
              ca condition rest | call function args pos | new type args init pos | inew pos args init
              idx expr args pos | cidx args pos | lit type | lam params body is_block async returns
              as expr type | cast type expr | is expr type
              isp expr pattern | bin op left right pos | un op expr pos | post op expr | asg op left right pos
              tern c a b | await expr | this pos | base pos | typeof type | default type | sw expr arms | tup elements
              arr type children | coll children | anon ((name, expr), ...) | with expr assigns | query clauses
              decl type designation | throw expr | multi children | init children | refx expr | range l r
              istr children | type type (a type where an expression may stand)
Designations  d name pos | dt designations | None
Patterns      pc expr | pt type | pd type designation | pr type positional props designation | pb left right
              pn pattern | prel expr | pl patterns designation | pv designation
Statements    block statements | local type declarators | expr e | localfn name params type body tparams
              for declarations condition steps body | foreach type designation expr body is_await | multi ...
              if c a b | ret expr | switch expr sections | multi children (all the others)
Arguments     (name, modifier, expression)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tree_sitter import Node

Lowered = tuple[Any, ...]
SHIFT = 20
COLUMN_MASK = (1 << SHIFT) - 1
_LITERALS = {
    "integer_literal": "int",
    "string_literal": "string",
    "verbatim_string_literal": "string",
    "raw_string_literal": "string",
    "boolean_literal": "bool",
    "character_literal": "char",
    "null_literal": "null",
}
_SKIPPED = frozenset(
    ["comment", "preproc_region", "preproc_endregion", "preproc_pragma", "preproc_nullable", "preproc_line"]
)
_SELF = frozenset(["this", "base"])  # anonymous tokens that are expressions
_MODIFIER_TOKENS = frozenset(["ref", "out", "in"])


class Lowering:
    """Lowers the nodes of one file; collects every identifier it meets in `names`."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.ascii = text.isascii()
        self.names: dict[bytes, str] = {}
        self._dispatch: dict[str, Callable[[Node], Any]] = {}
        for name in dir(self):
            if name.startswith("_n_"):
                self._dispatch[name[3:]] = getattr(self, name)
        for kind, word in _LITERALS.items():
            self._dispatch[kind] = _constant(("lit", word))
        for kind in ("block", "declaration_list", "arrow_expression_clause"):
            self._dispatch[kind] = self._n_block if kind == "block" else self._dispatch.get(kind, self._n_block)

    # -- places and names ---------------------------------------------------------------------------------------------

    def position(self, node: Node) -> int:
        """Line and column of a node's start."""
        row, column = node.start_point
        if not self.ascii and column:
            start = node.start_byte
            before = self.text[start - column : start]
            if not before.isascii():
                column = len(before.decode("utf-8", "replace").encode("utf-16-le")) // 2
        return (row + 1) << SHIFT | (column + 1)

    def name(self, node: Node) -> str:
        """The identifier a node holds, without `@`."""
        raw = self.text[node.start_byte : node.end_byte]
        known = self.names.get(raw)
        if known is None:
            known = raw.decode("utf-8", "replace")
            if known.startswith("@"):
                known = known[1:]
            self.names[raw] = known
        return known

    def simple(self, node: Node) -> tuple[int, str, tuple[Any, ...] | None]:
        """Position, name and type arguments of an identifier or generic name."""
        if node.type == "generic_name":
            children = node.children
            args = tuple(self.type(c) for c in children[-1].children if c.is_named and c.type not in _SKIPPED)
            if not args:
                args = (None,) * (1 + sum(c.type == "," for c in children[-1].children))
            return self.position(children[0]), self.name(children[0]), args
        return self.position(node), self.name(node), None

    # -- types --------------------------------------------------------------------------------------------------------

    def type(self, node: Node | None) -> Any:  # noqa: C901 - one short case per form
        """Type syntax; None where there is none."""
        if node is None:
            return None
        kind = node.type
        if kind == "identifier":
            return ("tn", self.position(node), self.name(node), ())
        if kind == "predefined_type":
            return ("tp", self.name(node))
        if kind == "generic_name":
            pos, name, args = self.simple(node)
            return ("tn", pos, name, args or ())
        if kind == "nullable_type":
            return ("tnull", self.type(node.children[0]))
        if kind == "array_type":
            inner = self.type(node.children[0])
            sizes = tuple(
                self.expression(c)
                for rank in node.children[1:]
                if rank.type == "array_rank_specifier"
                for c in rank.children
                if c.is_named
            )
            return ("tarr", inner, sizes) if sizes else ("tarr", inner)
        if kind == "qualified_name":
            pos, name, args = self.simple(node.children[-1])
            return ("tq", self.type(node.children[0]), pos, name, args or ())
        if kind == "alias_qualified_name":
            pos, name, args = self.simple(node.children[-1])
            return ("ta", self.name(node.children[0]), pos, name, args or ())
        if kind == "implicit_type":
            return ("tvar",)
        if kind == "pointer_type":
            return ("tptr", self.type(node.children[0]))
        if kind in ("ref_type", "scoped_type"):
            return self.type(node.children[-1])
        if kind == "tuple_type":
            return ("ttup", tuple(self._tuple_element(c) for c in node.children if c.type == "tuple_element"))
        if kind == "member_access_expression":
            pos, name, args = self.simple(node.children[-1])
            return ("tq", self.type(node.children[0]), pos, name, args or ())
        if kind == "function_pointer_type":
            return ("tfn", tuple(self.type(c.child_by_field_name("type")) for c in node.named_children))
        return None

    def _tuple_element(self, node: Node) -> tuple[Any, str | None]:
        name = node.child_by_field_name("name")
        return self.type(node.child_by_field_name("type")), self.name(name) if name is not None else None

    # -- expressions --------------------------------------------------------------------------------------------------

    def expression(self, node: Node) -> Any:
        """Any expression, statement or pattern."""
        handler = self._dispatch.get(node.type)
        return handler(node) if handler is not None else self.children(node)

    def children(self, node: Node) -> Lowered:
        """A construct whose own meaning does not matter: its parts in order."""
        return ("multi", [self.expression(c) for c in self._parts(node)])

    def _parts(self, node: Node) -> list[Node]:
        return [c for c in node.children if (c.is_named or c.type in _SELF) and c.type not in _SKIPPED]

    def _n_identifier(self, node: Node) -> Lowered:
        return ("id", self.position(node), self.name(node), None)

    def _n_generic_name(self, node: Node) -> Lowered:
        return ("id", *self.simple(node))

    def _n_predefined_type(self, node: Node) -> Lowered:
        return ("type", ("tp", self.name(node)))

    def _n_implicit_type(self, node: Node) -> Lowered:
        return ("id", self.position(node), "var", None)

    def _type_expression(self, node: Node) -> Lowered:
        return ("type", self.type(node))

    _n_nullable_type = _n_array_type = _n_tuple_type = _n_pointer_type = _type_expression

    def _n_alias_qualified_name(self, node: Node) -> Lowered:
        return ("aq", self.name(node.children[0]), *self.simple(node.children[-1]))

    def _n_member_access_expression(self, node: Node) -> Lowered:
        children = node.children
        return ("mem", self.expression(children[0]), *self.simple(children[-1]))

    _n_qualified_name = _n_member_access_expression

    def _n_this(self, node: Node) -> Lowered:
        return ("this", self.position(node))

    _n_this_expression = _n_this

    def _n_base(self, node: Node) -> Lowered:
        return ("base", self.position(node))

    _n_base_expression = _n_base

    def _n_member_binding_expression(self, node: Node) -> Lowered:
        return ("cmem", *self.simple(node.children[-1]))

    def _n_element_binding_expression(self, node: Node) -> Lowered:
        return ("cidx", self._arguments(node), self.position(node))

    def _n_conditional_access_expression(self, node: Node) -> Lowered:
        parts = self._first_and_rest(node)
        return ("ca", self.expression(parts[0]), self.expression(parts[-1]))

    def _first_and_rest(self, node: Node) -> list[Node]:
        return [c for c in node.children if c.type not in ("?", "comment")]

    def _n_invocation_expression(self, node: Node) -> Lowered:
        function = node.children[0]
        if function.type == "is_expression" and function.children[-1].type == "implicit_type":
            # `x is var (a, b)` arrives as a call of `x is var`.
            names = tuple(
                ("d", a[2][2], a[2][1]) if a[2][0] == "id" else None for a in self._arguments(node.children[-1])
            )
            return ("isp", self.expression(function.children[0]), ("pv", ("dt", names)))
        lowered = self.expression(function)
        return ("call", lowered, self._arguments(node.children[-1]), self.position(function))

    def _arguments(self, node: Node | None) -> tuple[Any, ...]:
        if node is None:
            return ()
        return tuple(self._argument(c) for c in node.children if c.type == "argument")

    def _argument(self, node: Node) -> tuple[Any, ...]:
        children = node.children
        if len(children) == 1:
            return (None, None, self.expression(children[0]))
        name = modifier = None
        value: Any = None
        for index, child in enumerate(children):
            kind = child.type
            if kind in _MODIFIER_TOKENS:
                modifier = kind
            elif kind == "identifier" and index + 1 < len(children) and children[index + 1].type == ":":
                name = (self.position(child), self.name(child))
            elif kind not in _SKIPPED and (child.is_named or kind in ("this", "base")):
                value = self.expression(child)
        return (name, modifier, value)

    def _n_element_access_expression(self, node: Node) -> Lowered:
        subscript = node.children[-1]
        return ("idx", self.expression(node.children[0]), self._arguments(subscript), self.position(subscript))

    def _n_object_creation_expression(self, node: Node) -> Lowered:
        args: tuple[Any, ...] | None = None
        init = created = None
        for child in node.children[1:]:
            if child.type == "argument_list":
                args = self._arguments(child)
            elif child.type == "initializer_expression":
                init = self._initializer(child)
            elif child.is_named and child.type not in _SKIPPED:
                created = child
        return ("new", self.type(created), args or (), init, self.position(node))

    def _n_implicit_object_creation_expression(self, node: Node) -> Lowered:
        args: tuple[Any, ...] = ()
        init = None
        for child in node.children[1:]:
            if child.type == "argument_list":
                args = self._arguments(child)
            elif child.type == "initializer_expression":
                init = self._initializer(child)
        return ("inew", self.position(node), args, init)

    def _initializer(self, node: Node) -> Lowered:
        return ("init", [self.expression(c) for c in self._parts(node)])

    _n_initializer_expression = _initializer

    def _n_array_creation_expression(self, node: Node) -> Lowered:
        parts = self._parts(node)
        return ("arr", self.type(parts[0]), [self.expression(c) for c in parts[1:]])

    def _n_stackalloc_expression(self, node: Node) -> Lowered:
        return self._n_array_creation_expression(node)

    def _n_implicit_array_creation_expression(self, node: Node) -> Lowered:
        return ("arr", None, [self.expression(c) for c in self._parts(node) if c.type != "array_rank_specifier"])

    _n_implicit_stackalloc_expression = _n_implicit_array_creation_expression

    def _n_collection_expression(self, node: Node) -> Lowered:
        return ("coll", [self.expression(c) for c in self._parts(node)])

    def _n_spread_element(self, node: Node) -> Lowered:
        return ("spread", self.expression(self._parts(node)[-1]))

    def _single(self, node: Node) -> Any:
        parts = [c for c in node.children if c.type not in _SKIPPED and (c.is_named or c.type in ("this", "base"))]
        return self.expression(parts[-1]) if len(parts) == 1 else self.children(node)

    _n_parenthesized_expression = _n_expression_element = _n_collection_element = _single
    _n_checked_expression = _n_arrow_expression_clause = _n_constant_expression = _single
    _n_parenthesized_pattern = _n_declaration_list = _n_global_statement = _single

    def _n_real_literal(self, node: Node) -> Lowered:
        text = self.text[node.start_byte : node.end_byte][-1:].lower()
        return ("lit", {b"f": "float", b"m": "decimal"}.get(text, "double"))

    def _n_integer_literal(self, node: Node) -> Lowered:
        tail = self.text[node.start_byte : node.end_byte][-2:].lower()
        if (
            tail[-1:] in (b"l", b"u")
            and not self.text[node.start_byte :].startswith((b"0x", b"0X"))
            or tail[-1:] == b"l"
        ):
            return ("lit", "ulong" if tail in (b"ul", b"lu") else "long" if tail[-1:] == b"l" else "uint")
        return ("lit", "int")

    def _n_interpolated_string_expression(self, node: Node) -> Lowered:
        out: list[Any] = []
        for child in node.children:
            if child.type == "interpolation":
                out.extend(
                    self.expression(c)
                    for c in self._parts(child)
                    if c.type not in ("interpolation_brace", "interpolation_format_clause")
                )
        return ("istr", out)

    def _n_lambda_expression(self, node: Node) -> Lowered:
        params: list[Any] = []
        body: Any = None
        is_block = False
        is_async = False
        children = node.children
        returns = None
        for child in children:
            kind = child.type
            if kind == "implicit_parameter":
                params.append((self.name(child), self.position(child), None, None))
            elif kind == "parameter_list":
                params.extend(self.lambda_parameters(child))
            elif kind == "modifier":
                is_async = is_async or self.name(child) == "async"
            elif kind == "async":
                is_async = True
        last = children[-1]
        is_block = last.type == "block"
        body = self.expression(last)
        type_node = node.child_by_field_name("type")
        if type_node is not None:
            returns = self.type(type_node)
        return ("lam", tuple(params), body, is_block, is_async, returns)

    def lambda_parameters(self, node: Node) -> list[Any]:
        """Name, position, type and default of each parameter."""
        out = []
        for child in node.children:
            if child.type == "parameter":
                name = child.child_by_field_name("name")
                type_node = child.child_by_field_name("type")
                if name is None:
                    continue
                modifier = next((self.name(c) for c in child.children if c.type == "modifier"), None)
                out.append((self.name(name), self.position(name), self.type(type_node), modifier))
        return out

    def _n_anonymous_method_expression(self, node: Node) -> Lowered:
        params: list[Any] = []
        has_list = False
        for child in node.children:
            if child.type == "parameter_list":
                has_list = True
                params.extend(self.lambda_parameters(child))
        is_async = any(c.type in ("async", "modifier") and self.name(c) == "async" for c in node.children)
        body = next((c for c in node.children if c.type == "block"), None)
        lowered = self.expression(body) if body is not None else ("block", [])
        return ("lam", tuple(params) if has_list else None, lowered, True, is_async, None)

    def _n_cast_expression(self, node: Node) -> Lowered:
        parts = self._parts(node)
        value = node.child_by_field_name("value")
        return ("cast", self.type(parts[0]), self.expression(value if value is not None else parts[-1]))

    def _n_as_expression(self, node: Node) -> Lowered:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return self.children(node)
        return ("as", self.expression(left), self.type(right))

    def _n_is_expression(self, node: Node) -> Lowered:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return self.children(node)
        return ("is", self.expression(left), self.type(right))

    def _n_is_pattern_expression(self, node: Node) -> Lowered:
        left, right = node.child_by_field_name("expression"), node.child_by_field_name("pattern")
        if left is None or right is None:
            return self.children(node)
        return ("isp", self.expression(left), self.expression(right))

    def _n_binary_expression(self, node: Node) -> Any:
        # A left-leaning chain of operators (long concatenations) is unrolled, so that it cannot exhaust the stack.
        chain = []
        while node.type == "binary_expression" and len(node.children) >= 3:
            chain.append(node)
            node = node.children[0]
        result = self.expression(node)
        for item in reversed(chain):
            left, *middle, right = item.children
            operator = next((c for c in middle if not c.is_named), middle[0])
            result = ("bin", operator.type, result, self.expression(right), self.position(operator))
        return result

    def _n_prefix_unary_expression(self, node: Node) -> Lowered:
        children = node.children
        return ("un", children[0].type, self.expression(children[-1]), self.position(children[0]))

    def _n_postfix_unary_expression(self, node: Node) -> Any:
        children = node.children
        inner = self.expression(children[0])
        operator = children[-1].type
        return inner if operator == "!" or len(children) == 1 else ("un", operator, inner, self.position(children[-1]))

    def _n_assignment_expression(self, node: Node) -> Lowered:
        children = [c for c in node.children if c.type not in _SKIPPED]
        if len(children) < 3:
            return self.children(node)
        operator = self.text[children[1].start_byte : children[1].end_byte].decode("utf-8", "replace")
        return ("asg", operator, self.expression(children[0]), self.expression(children[2]), self.position(children[1]))

    def _n_conditional_expression(self, node: Node) -> Lowered:
        parts = [c for c in node.children if c.type not in ("?", ":") and c.type not in _SKIPPED]
        if len(parts) != 3:
            return self.children(node)
        return ("tern", *(self.expression(c) for c in parts))

    def _n_await_expression(self, node: Node) -> Lowered:
        return ("await", self.expression(node.children[-1]))

    def _n_typeof_expression(self, node: Node) -> Lowered:
        return ("typeof", self.type(node.child_by_field_name("type")))

    def _n_sizeof_expression(self, node: Node) -> Lowered:
        return ("multi", [("type", self.type(node.child_by_field_name("type"))), ("lit", "int")])

    def _n_default_expression(self, node: Node) -> Lowered:
        return ("default", self.type(node.child_by_field_name("type")))

    def _n_ref_expression(self, node: Node) -> Lowered:
        return ("refx", self.expression(node.children[-1]))

    def _n_throw_expression(self, node: Node) -> Lowered:
        return ("throw", self.expression(node.children[-1]))

    def _n_range_expression(self, node: Node) -> Lowered:
        return ("range", [self.expression(c) for c in self._parts(node)])

    def _n_tuple_expression(self, node: Node) -> Lowered:
        return ("tup", self._arguments(node))

    def _n_declaration_expression(self, node: Node) -> Lowered:
        name = node.child_by_field_name("name")
        designation = self._designation(name) if name is not None else None
        return ("decl", self.type(node.child_by_field_name("type")), designation)

    def _n_anonymous_object_creation_expression(self, node: Node) -> Lowered:
        out: list[Any] = []
        children = node.children
        pending: str | None = None
        for index, child in enumerate(children):
            if not child.is_named and child.type not in ("this", "base") or child.type in _SKIPPED:
                continue
            if child.type == "identifier" and index + 1 < len(children) and children[index + 1].type == "=":
                pending = self.name(child)
                continue
            value = self.expression(child)
            if pending is None:
                pending = value[2] if value[0] == "id" else value[3] if value[0] == "mem" else None
                if value[0] == "ca" and value[2][0] == "cmem":
                    pending = value[2][2]
            out.append((pending, value))
            pending = None
        return ("anon", out)

    def _n_with_expression(self, node: Node) -> Lowered:
        parts = self._parts(node)
        assigns = []
        for child in parts[1:]:
            if child.type in ("with_initializer", "with_initializer_expression"):
                inner = self._parts(child)
                if len(inner) >= 2:
                    assigns.append((*self.simple(inner[0])[:2], self.expression(inner[-1])))
            elif child.type == "initializer_expression":
                assigns.extend(self._with_assigns(child))
        return ("with", self.expression(parts[0]), assigns)

    def _with_assigns(self, node: Node) -> list[Any]:
        out = []
        for child in self._parts(node):
            inner = self._parts(child)
            if len(inner) >= 2 and inner[0].type == "identifier":
                out.append((*self.simple(inner[0])[:2], self.expression(inner[-1])))
        return out

    def _n_switch_expression(self, node: Node) -> Lowered:
        parts = self._parts(node)
        arms = []
        for child in parts[1:]:
            if child.type == "switch_expression_arm":
                inner = self._parts(child)
                when = [self.expression(c) for c in inner[1:-1]]
                arms.append((self.expression(inner[0]), when, self.expression(inner[-1])))
        value = self.expression(parts[0]) if parts else ("lit", "null")
        if not parts or parts[0].type == "switch_expression_arm":
            value = self.expression(node.children[0])
        return ("sw", value, arms)

    def _n_query_expression(self, node: Node) -> Lowered:
        return ("query", [self._clause(c) for c in self._parts(node)])

    def _clause(self, node: Node) -> Lowered:
        kind = node.type
        parts = self._parts(node)
        if kind == "from_clause":
            type_node, name = node.child_by_field_name("type"), node.child_by_field_name("name")
            return ("from", self.type(type_node), self.name(name) if name else "", self.expression(parts[-1]))
        if kind == "let_clause":
            return ("let", self.name(parts[0]), self.expression(parts[-1]))
        if kind == "join_clause":
            names = [c for c in parts if c.type != "join_into_clause"]
            into = next((c for c in parts if c.type == "join_into_clause"), None)
            target = self.name(self._parts(into)[-1]) if into is not None else None
            type_node = node.child_by_field_name("type")
            rest = [self.expression(c) for c in names[-3:]]
            return ("join", self.type(type_node), self.name(names[-4]) if len(names) >= 4 else "", rest, target)
        if kind in ("where_clause", "order_by_clause", "select_clause", "group_clause"):
            return (kind.split("_")[0], [self.expression(c) for c in parts])
        if kind == "identifier":
            return ("into", self.name(node))
        return ("where", [self.expression(node)])

    # -- patterns -----------------------------------------------------------------------------------------------------

    def _designation(self, node: Node) -> Any:
        kind = node.type
        if kind == "identifier":
            return ("d", self.name(node), self.position(node))
        if kind in ("tuple_pattern", "parenthesized_variable_designation"):
            return ("dt", tuple(self._designation(c) for c in self._parts(node)))
        return None

    def _n_constant_pattern(self, node: Node) -> Lowered:
        inner = self._single(node)
        return ("pc", inner)

    def _n_discard(self, node: Node) -> Lowered:
        return ("pdisc",)

    def _n_type_pattern(self, node: Node) -> Lowered:
        return ("pt", self.type(node.child_by_field_name("type") or self._parts(node)[0]))

    def _n_declaration_pattern(self, node: Node) -> Lowered:
        name = node.child_by_field_name("name")
        type_syntax = self.type(node.child_by_field_name("type"))
        if name is None:
            name = next((c for c in self._parts(node)[1:]), None)
        return ("pd", type_syntax, self._designation(name) if name is not None else None)

    def _n_var_pattern(self, node: Node) -> Lowered:
        return ("pv", self._designation(self._parts(node)[-1]))

    def _n_recursive_pattern(self, node: Node) -> Lowered:
        type_syntax = designation = None
        positional: list[Any] = []
        props: list[Any] = []
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            if field == "type":
                type_syntax = self.type(child)
            elif field == "name":
                designation = self._designation(child)
            elif child.type == "positional_pattern_clause":
                positional = [self._subpattern(c) for c in self._parts(child)]
            elif child.type == "property_pattern_clause":
                props = [self._subpattern(c) for c in self._parts(child)]
        return ("pr", type_syntax, positional, props, designation)

    def _subpattern(self, node: Node) -> tuple[Any, Any]:
        if node.type != "subpattern":
            return (None, self.expression(node))
        parts = self._parts(node)
        if len(parts) >= 2 and any(c.type == ":" for c in node.children):
            return (self.expression(parts[0]), self.expression(parts[-1]))
        return (None, self.expression(parts[-1]))

    def _binary_pattern(self, node: Node) -> Lowered:
        parts = self._parts(node)
        return ("pb", [self.expression(c) for c in parts])

    _n_or_pattern = _n_and_pattern = _binary_pattern

    def _n_negated_pattern(self, node: Node) -> Lowered:
        return ("pn", self.expression(self._parts(node)[-1]))

    def _n_relational_pattern(self, node: Node) -> Lowered:
        return ("prel", self.expression(self._parts(node)[-1]))

    def _n_list_pattern(self, node: Node) -> Lowered:
        name = node.child_by_field_name("name")
        inner = [self.expression(c) for c in self._parts(node) if c != name]
        return ("pl", inner, self._designation(name) if name is not None else None)

    # -- statements ---------------------------------------------------------------------------------------------------

    def _n_block(self, node: Node) -> Lowered:
        return ("block", [self.expression(c) for c in node.children if c.is_named and c.type not in _SKIPPED])

    def _n_expression_statement(self, node: Node) -> Any:
        return self._single(node)

    def _n_local_declaration_statement(self, node: Node) -> Lowered:
        declaration = next((c for c in node.children if c.type == "variable_declaration"), None)
        if declaration is None:
            return self.children(node)
        return self._n_variable_declaration(declaration)

    def _n_variable_declaration(self, node: Node) -> Lowered:
        declarators = [self.declarator(child) for child in node.children if child.type == "variable_declarator"]
        return ("local", self.type(node.child_by_field_name("type") or node.children[0]), declarators)

    def declarator(self, node: Node) -> tuple[Any, Any]:
        """Designation and initialiser of a variable declarator."""
        children = node.children
        value = None
        extra = None
        for index, child in enumerate(children):
            if child.type == "=" and index + 1 < len(children):
                rest = [c for c in children[index + 1 :] if c.type not in _SKIPPED]
                value = self.expression(rest[0]) if rest else None
            elif child.type == "bracketed_argument_list":
                extra = ("multi", [a[2] for a in self._arguments(child)])
        return self._designation(children[0]), value if extra is None else extra

    def _n_local_function_statement(self, node: Node) -> Lowered:
        name = node.child_by_field_name("name")
        params: list[Any] = []
        tparams: list[str] = []
        attributes: list[Any] = []
        constraints: list[Any] = []
        for child in node.children:
            if child.type == "parameter_list":
                params = self.lambda_parameters(child)
                params.extend(self._params_parameter(child))
            elif child.type == "type_parameter_list":
                tparams = [self.name(c.children[-1]) for c in child.children if c.type == "type_parameter"]
            elif child.type == "attribute_list":
                attributes.extend(self.attributes(child))
            elif child.type == "type_parameter_constraints_clause":
                constraints.append(self.constraint(child))
        body = node.child_by_field_name("body")
        lowered = self.expression(body) if body is not None else None
        is_async = any(c.type == "modifier" and self.name(c) == "async" for c in node.children)
        returns = self.type(node.child_by_field_name("type"))
        label = self.name(name) if name is not None else ""
        return ("localfn", label, params, returns, lowered, tparams, attributes, constraints, is_async)

    def _params_parameter(self, node: Node) -> list[Any]:
        for position, child in enumerate(node.children):
            if child.type == "params":
                type_node = next((c for c in node.children[position + 1 :] if c.is_named), None)
                name = node.child_by_field_name("name")
                if name is not None:
                    return [(self.name(name), self.position(name), self.type(type_node), "params")]
        return []

    def _n_foreach_statement(self, node: Node) -> Lowered:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        body = node.child_by_field_name("body")
        is_await = any(c.type == "await" for c in node.children)
        type_syntax = self.type(node.child_by_field_name("type"))
        if left is None or right is None:
            return self.children(node)
        if left.type == "tuple_expression" or left.type == "declaration_expression":
            designation: Any = ("multi", [self.expression(left)])
        else:
            designation = self._designation(left)
        lowered_body = self.expression(body) if body is not None else None
        return ("foreach", type_syntax, designation, self.expression(right), lowered_body, is_await)

    def _scoped(self, node: Node) -> Lowered:
        return ("block", [self.expression(c) for c in node.children if c.is_named and c.type not in _SKIPPED])

    _n_for_statement = _n_using_statement = _n_fixed_statement = _n_lock_statement = _scoped
    _n_checked_statement = _n_unsafe_statement = _n_try_statement = _n_catch_clause = _n_finally_clause = _scoped
    _n_switch_section = _n_while_statement = _n_do_statement = _scoped

    def _n_if_statement(self, node: Node) -> Lowered:
        return self.children(node)

    def _n_switch_statement(self, node: Node) -> Lowered:
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        sections = [self.expression(c) for c in self._parts(body)] if body is not None else []
        return ("switch", self.expression(value) if value is not None else ("lit", "null"), sections)

    def _n_case_switch_label(self, node: Node) -> Any:
        return self._single(node)

    def _n_catch_declaration(self, node: Node) -> Lowered:
        name = node.child_by_field_name("name")
        designation = self._designation(name) if name is not None else None
        return ("local", self.type(node.child_by_field_name("type")), [(designation, None)])

    def _n_return_statement(self, node: Node) -> Lowered:
        parts = [c for c in node.children[1:] if c.type not in _SKIPPED and c.type != ";"]
        return ("ret", self.expression(parts[0]) if parts else None)

    def _n_throw_statement(self, node: Node) -> Lowered:
        return self.children(node)

    def _n_yield_statement(self, node: Node) -> Lowered:
        return self.children(node)

    def _n_goto_statement(self, node: Node) -> Lowered:
        parts = self._parts(node)
        if any(c.type == "case" for c in node.children):
            return self.children(node)
        return ("multi", [] if not parts else [])

    def _n_labeled_statement(self, node: Node) -> Lowered:
        return ("multi", [self.expression(c) for c in self._parts(node)[1:]])

    def _n_preproc_if(self, node: Node) -> Lowered:
        skipped = node.child_by_field_name("condition")
        return ("multi", [self.expression(c) for c in self._parts(node) if c != skipped])

    _n_preproc_elif = _n_preproc_if

    # -- attributes and constraints -----------------------------------------------------------------------------------

    def attributes(self, node: Node) -> list[Any]:
        """(type syntax, arguments, named) of each attribute in a list; named are (pos, name, expression)."""
        out = []
        for attribute in node.children:
            if attribute.type != "attribute":
                continue
            name = attribute.child_by_field_name("name") or attribute.children[0]
            args: list[Any] = []
            named: list[Any] = []
            for child in attribute.children:
                if child.type == "attribute_argument_list":
                    for argument in child.children:
                        if argument.type == "attribute_argument":
                            self._attribute_argument(argument, args, named)
            out.append((self.type(name), args, named))
        return out

    def _attribute_argument(self, node: Node, args: list[Any], named: list[Any]) -> None:
        children = [c for c in node.children if c.type not in _SKIPPED]
        if len(children) >= 3 and children[1].type == "=":
            named.append((self.position(children[0]), self.name(children[0]), self.expression(children[-1])))
        elif len(children) >= 3 and children[1].type == ":":
            args.append(((self.position(children[0]), self.name(children[0])), None, self.expression(children[-1])))
        elif children:
            args.append((None, None, self.expression(children[-1])))

    def constraint(self, node: Node) -> tuple[str, list[Any]]:
        """(type parameter, constraint types) of a `where` clause."""
        name = ""
        types: list[Any] = []
        for child in node.children:
            if child.type == "identifier" and not name:
                name = self.name(child)
            elif child.type == "type_parameter_constraint":
                for inner in child.children:
                    if inner.type in ("struct", "class", "unmanaged"):
                        types.append(("tkind", inner.type))
                    syntax = self.type(inner) if inner.is_named else None
                    if syntax is not None and syntax[0] in ("tn", "tq", "ta", "tnull"):
                        types.append(syntax)
        return name, types


def _constant(value: Lowered) -> Callable[[Node], Lowered]:
    return lambda node: value
