"""Declarations as `Symbol` values: documentation ids, signatures, spans, doc comments, accessibility.

The id form is documented in `declarations`. An extension block (C# 14) has no name of its own: its members belong
to the static class around it, as the compiler's classic extension methods do.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from hybrid_index.languages.csharp.declarations import (
    _VALUE_KEYWORDS,
    KEYWORD_TYPES,
    Declaration,
    DeclarationWalk,
    walk,
)
from hybrid_index.languages.csharp.syntax import ParsedSource
from hybrid_index.types import Span, Symbol

OPERATOR_NAMES = {
    "+": "op_Addition",
    "-": "op_Subtraction",
    "*": "op_Multiply",
    "/": "op_Division",
    "%": "op_Modulus",
    "&": "op_BitwiseAnd",
    "|": "op_BitwiseOr",
    "^": "op_ExclusiveOr",
    "<<": "op_LeftShift",
    ">>": "op_RightShift",
    ">>>": "op_UnsignedRightShift",
    "==": "op_Equality",
    "!=": "op_Inequality",
    "<": "op_LessThan",
    ">": "op_GreaterThan",
    "<=": "op_LessThanOrEqual",
    ">=": "op_GreaterThanOrEqual",
    "!": "op_LogicalNot",
    "~": "op_OnesComplement",
    "++": "op_Increment",
    "--": "op_Decrement",
    "true": "op_True",
    "false": "op_False",
}
_UNARY_NAMES = {"+": "op_UnaryPlus", "-": "op_UnaryNegation"}
_PREFIX = {
    "method": "M:",
    "constructor": "M:",
    "destructor": "M:",
    "operator": "M:",
    "conversion": "M:",
    "local function": "L:",
    "property": "P:",
    "indexer": "P:",
    "field": "F:",
    "const": "F:",
    "enum_member": "F:",
    "event": "E:",
}
_ACCESS_WORDS = ("public", "protected", "internal", "private", "file")
_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL)
_CREF = re.compile(
    r"""<(?:see|seealso|paramref|typeparamref)\s+(?:cref|name|langword|href)\s*=\s*["'](?:[A-Z]:)?([^"']*)["']\s*/?>"""
)
_TAG = re.compile(r"<[^<>]*>")
# A signature is shown on one line of an answer; longer ones are of no use there.
_BODIES = ("declaration_list", "block", "accessor_list", "arrow_expression_clause", "enum_member_declaration_list")
_SIGNATURE_LIMIT = 400
_SUMMARY_LIMIT = 600


class SymbolBuilder:
    """Turns the declarations of one file into symbols."""

    def __init__(self, found: DeclarationWalk, original: bytes) -> None:
        self.found = found
        self.source = original
        self.ascii = original.isascii()
        self._lines: list[bytes] | None = None
        self._ids: dict[int, str] = {}
        self._qualified: dict[int, str] = {}

    # -- names ------------------------------------------------------------------------------------------------------

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def owner(self, item: Declaration) -> Declaration | None:
        """The enclosing declaration that has a name: extension blocks are looked through."""
        parent = item.parent
        while parent is not None and parent.is_extension:
            parent = parent.parent
        return parent

    def qualified(self, item: Declaration) -> str:
        """Namespace, containing types and name, with arities: `Shop.Cart`1.Add`."""
        known = self._qualified.get(item.index)
        if known is None:
            parent = self.owner(item)
            prefix = self.qualified(parent) if parent is not None else item.namespace
            name = self._member_name(item)
            known = self._qualified[item.index] = f"{prefix}.{name}" if prefix else name
        return known

    def _member_name(self, item: Declaration) -> str:
        kind = item.kind
        arity = len(item.type_parameters)
        if kind == "constructor":
            return "#cctor" if "static" in item.modifiers else "#ctor"
        if kind == "destructor":
            name = "Finalize"
        elif kind == "indexer":
            name = "Item"
        elif kind == "conversion":
            name = "op_Explicit" if any(c.type == "explicit" for c in item.node.children) else "op_Implicit"
        elif kind == "operator":
            name = self._operator_name(item)
        else:
            name = item.name
        if item.explicit_interface is not None:
            prefix = re.sub(r"\s", "", self.text(item.explicit_interface)).rstrip(".")
            name = f"{prefix.replace('<', '{').replace('>', '}')}.{name}".replace(".", "#")
        if arity:
            name += ("``" if kind in ("method", "local function") else "`") + str(arity)
        return name

    def _operator_name(self, item: Declaration) -> str:
        if len(item.parameters) == 1 and item.name in _UNARY_NAMES:
            return _UNARY_NAMES[item.name]
        return OPERATOR_NAMES.get(item.name, "op_" + item.name)

    def doc_id(self, item: Declaration) -> str:
        """The documentation-comment id with parameter types as written."""
        known = self._ids.get(item.index)
        if known is None:
            prefix = _PREFIX.get(item.kind, "T:")
            known = prefix + self.qualified(item)
            if prefix in ("M:", "L:") or item.kind == "indexer":
                places = self._type_parameter_places(item)
                receiver = self._receiver_type(item)
                types = [receiver] if receiver else []
                for parameter in item.parameters:
                    name = self.type_id(parameter.type, places)
                    if any(m in ("ref", "out", "in") for m in parameter.modifiers):
                        name += "@"
                    types.append(name)
                if types:
                    known += f"({','.join(types)})"
                if item.kind == "conversion":
                    known += "~" + self.type_id(item.type, places)
            self._ids[item.index] = known
        return known

    def _receiver_type(self, item: Declaration) -> str:
        parent = item.parent
        if parent is None or not parent.is_extension or not parent.parameters or item.kind == "property":
            return ""
        return self.type_id(parent.parameters[0].type, self._type_parameter_places(item))

    def _type_parameter_places(self, item: Declaration) -> dict[str, str]:
        places: dict[str, str] = {}
        chain: list[Declaration] = []
        owner = item.parent
        while owner is not None:
            chain.append(owner)
            owner = owner.parent
        count = 0
        for owner in reversed(chain):
            for name in owner.type_parameters:
                places[name] = f"`{count}"
                count += 1
        for place, name in enumerate(item.type_parameters):
            places[name] = f"``{place}"
        return places

    def type_id(self, node: Node | None, places: dict[str, str]) -> str:
        """A type as it stands in a documentation id."""
        if node is None:
            return "?"
        kind = node.type
        if kind == "predefined_type":
            word = self.text(node)
            return KEYWORD_TYPES.get(word, word)
        if kind == "identifier":
            word = self.text(node).lstrip("@")
            return places.get(word, "System.Object" if word == "dynamic" else KEYWORD_TYPES.get(word, word))
        if kind == "nullable_type":
            inner = next((c for c in node.children if c.is_named), None)
            name = self.type_id(inner, places)
            is_value = inner is not None and inner.type == "predefined_type" and self.text(inner) in _VALUE_KEYWORDS
            return f"System.Nullable{{{name}}}" if is_value else name + "?"
        if kind == "array_type":
            rank = node.child_by_field_name("rank")
            commas = sum(c.type == "," for c in rank.children) if rank is not None else 0
            suffix = "[]" if not commas else "[" + ",".join(["0:"] * (commas + 1)) + "]"
            return self.type_id(node.child_by_field_name("type"), places) + suffix
        if kind == "pointer_type":
            return self.type_id(node.child_by_field_name("type"), places) + "*"
        if kind in ("ref_type", "scoped_type"):
            return self.type_id(node.child_by_field_name("type"), places)
        if kind == "generic_name":
            arguments = next((c for c in node.children if c.type == "type_argument_list"), None)
            inner_types = [c for c in arguments.children if c.is_named] if arguments is not None else []
            names = ",".join(self.type_id(c, places) for c in inner_types)
            return f"{self.text(node.children[0])}{{{names}}}"
        if kind in ("qualified_name", "alias_qualified_name"):
            named = [c for c in node.children if c.is_named]
            parts = [self.type_id(c, places) for c in named]
            return ".".join(p for p in parts if p != "global")
        if kind == "tuple_type":
            elements = [c.child_by_field_name("type") for c in node.children if c.type == "tuple_element"]
            return "System.ValueTuple{" + ",".join(self.type_id(c, places) for c in elements) + "}"
        return re.sub(r"\s+", "", self.text(node))

    # -- places -----------------------------------------------------------------------------------------------------

    def _column(self, point: tuple[int, int], byte: int) -> int:
        if self.ascii:
            return point[1] + 1
        before = self.source[byte - point[1] : byte].decode("utf-8", "replace").lstrip("\ufeff")
        return sum(2 if ord(char) > 0xFFFF else 1 for char in before) + 1

    def span(self, node: Node) -> Span:
        """Lines and columns of a node."""
        start, end = node.start_point, node.end_point
        return Span(
            start[0] + 1,
            end[0] + 1,
            self._column(start, node.start_byte),
            self._column(end, node.end_byte),
        )

    # -- the rest ---------------------------------------------------------------------------------------------------

    def accessibility(self, item: Declaration) -> str:
        """The declared accessibility, or the language's default."""
        words = [word for word in item.modifiers if word in _ACCESS_WORDS]
        if words:
            return " ".join(words)
        if item.explicit_interface is not None:
            return "private"
        parent = self.owner(item)
        if item.kind == "destructor":
            return "protected"
        if parent is None:
            return "internal"
        return "public" if parent.kind in ("interface", "enum") else "private"

    def signature(self, item: Declaration) -> str:
        """The declaration up to its body, on one line."""
        node = item.node
        start = node.start_byte
        for child in node.children:
            if child.type == "attribute_list":
                start = child.end_byte
            elif child.type != "comment":
                break
        stops = (
            "declaration_list",
            "block",
            "accessor_list",
            "arrow_expression_clause",
            "enum_member_declaration_list",
        )
        end = next((c.start_byte for c in node.children if c.type in stops), node.end_byte)
        raw = self.source[start : min(end, start + 4 * _SIGNATURE_LIMIT)].decode("utf-8", "replace")
        if item.kind in ("field", "const", "event") and item.initializer is not None and item.type is not None:
            modifiers = " ".join(item.modifiers)
            raw = f"{modifiers} {self.text(item.type)} {self.text(item.initializer)}"
        text = re.sub(r"\s+", " ", raw).strip().rstrip("{;").rstrip()
        return text if len(text) <= _SIGNATURE_LIMIT else text[: _SIGNATURE_LIMIT - 1] + "…"

    def _doc(self, item: Declaration) -> tuple[int | None, str]:
        if item.primary:
            return None, ""
        if self._lines is None:
            self._lines = self.source.split(b"\n")
        row = first = item.node.start_point[0]
        lines = self._lines
        while row > 0 and lines[row - 1].lstrip().startswith((b"///", b"* ", b"*/", b"/**")):
            row -= 1
        if row == first:
            return None, ""
        block = b"\n".join(lines[row:first]).decode("utf-8", "replace")
        if not block.lstrip().startswith(("///", "/**")):
            return None, ""
        return row + 1, summary_of(block)

    def build(self, item: Declaration) -> Symbol:
        """One symbol."""
        parent = self.owner(item)
        container = self.doc_id(parent) if parent is not None else (f"N:{item.namespace}" if item.namespace else None)
        doc_line, summary = self._doc(item)
        return Symbol(
            name=item.name,
            kind=item.kind,
            qualified_name=self.qualified(item),
            doc_id=self.doc_id(item),
            span=self.span(item.node),
            name_span=self.span(item.name_node),
            signature=self.signature(item),
            container=container,
            accessibility=self.accessibility(item),
            modifiers=tuple(word for word in item.modifiers if word not in _ACCESS_WORDS),
            body=self.span(item.body) if item.body is not None else None,
            doc_start_line=doc_line,
            doc_summary=summary,
        )


def summary_of(comment: str) -> str:
    """The text of a documentation comment's summary, without markup."""
    text = "\n".join(re.sub(r"^\s*(?:///|/\*\*|\*/|\*)\s?", "", line) for line in comment.splitlines())
    text = text.removesuffix("*/")
    match = _SUMMARY.search(text)
    if match is None:
        if "<" in text.lstrip()[:1]:
            return ""
    else:
        text = match.group(1)
    plain = _TAG.sub(" ", _CREF.sub(r"\1", text))
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        plain = plain.replace(entity, char)
    return re.sub(r"\s+", " ", plain).strip()[:_SUMMARY_LIMIT]


def symbols_of(source: ParsedSource) -> tuple[Symbol, ...]:
    """Every declaration of a parsed file, in source order of discovery.

    Partial types appear once per part with the same `doc_id`. Local functions are listed with `L:` ids.
    """
    found = walk(source)
    builder = SymbolBuilder(found, source.original)
    symbols = [builder.build(item) for item in found.items if not item.is_extension]
    symbols.extend(_local_functions(source, builder))
    return tuple(symbols)


def _local_functions(source: ParsedSource, builder: SymbolBuilder) -> list[Symbol]:
    """Local functions under the member around them; a byte search decides whether the tree is worth visiting."""
    out: list[Symbol] = []
    hosts = [(i.body, i) for i in builder.found.items if i.body is not None and i.kind in _PREFIX and i.kind != "field"]
    hosts.extend((statement, None) for statement in builder.found.statements)  # type: ignore[misc]
    for body, host in hosts:
        stack = [body]
        while stack:
            node = stack.pop()
            if node.type == "local_function_statement":
                out.append(_local_function(node, host, builder))
            if node.type in _STATEMENT_NODES:
                stack.extend(node.children)
    return out


_STATEMENT_NODES = frozenset(
    [
        "block",
        "accessor_list",
        "accessor_declaration",
        "global_statement",
        "if_statement",
        "for_statement",
        "foreach_statement",
        "while_statement",
        "do_statement",
        "using_statement",
        "lock_statement",
        "fixed_statement",
        "try_statement",
        "catch_clause",
        "finally_clause",
        "switch_statement",
        "switch_body",
        "switch_section",
        "checked_statement",
        "unsafe_statement",
        "labeled_statement",
        "local_function_statement",
        "preproc_if",
        "preproc_else",
        "preproc_elif",
        "ERROR",
    ]
)


def _local_function(node: Node, host: Declaration | None, builder: SymbolBuilder) -> Symbol:
    name_node = node.child_by_field_name("name") or node
    name = builder.text(name_node)
    item = Declaration(-1, "local function", name, name_node, node, host, "")
    container = builder.doc_id(host) if host is not None else None
    parameters = next((c for c in node.children if c.type == "parameter_list"), None)
    outer = builder.qualified(host) if host is not None else "<top-level>"
    places: dict[str, str] = {}
    types = builder.found.parameters(parameters) if parameters is not None else ()
    ids = ",".join(builder.type_id(p.type, places) for p in types)
    body = node.child_by_field_name("body")
    return Symbol(
        name=name,
        kind="local function",
        qualified_name=f"{outer}.{name}",
        doc_id=f"L:{outer}.{name}({ids})",
        span=builder.span(node),
        name_span=builder.span(name_node),
        signature=builder.signature(item),
        container=container,
        accessibility="private",
        modifiers=tuple(builder.text(c) for c in node.children if c.type == "modifier"),
        body=builder.span(body) if body is not None else None,
    )
