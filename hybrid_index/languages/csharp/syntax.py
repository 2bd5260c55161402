"""Parse C# so that one unusual construct does not hide the rest of a file.

tree-sitter keeps going after an error but may lose the members around it. Three things are done about that, always
without moving a byte, so that positions in the tree are positions in the file: syntax newer than the grammar is
rewritten to an equally long form that it knows, inactive `#if` branches are blanked (the branches are evaluated with
the project's defines), and a last set of rewrites is tried on files that still contain errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import tree_sitter_c_sharp
from tree_sitter import Language, Parser, Tree

LANGUAGE = Language(tree_sitter_c_sharp.language())

# What a project on the current SDK defines when nothing else is known; the owning project's own list replaces it.
DEFAULT_DEFINES = frozenset(
    ["TRACE", "NET", "NETCOREAPP"]
    + [f"NET{major}_0_OR_GREATER" for major in range(5, 9)]
    + [f"NETCOREAPP{v}_OR_GREATER" for v in ("1_0", "1_1", "2_0", "2_1", "2_2", "3_0", "3_1")]
    + ["NET8_0"]
)

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif|define|undef)\b([^\r\n]*)", re.MULTILINE)
_DIRECTIVE_LINE = re.compile(rb"^[ \t]*#[ \t]*[a-z!:][^\r\n]*", re.MULTILINE)
_TOKEN = re.compile(r"\s*(&&|\|\||==|!=|!|\(|\)|[A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A tree and the bytes it was made from; offsets are those of the original file."""

    tree: Tree
    text: bytes  # as parsed: inactive branches and rewritten syntax differ from the original, lengths do not
    original: bytes
    inactive: tuple[tuple[int, int], ...] = ()  # byte ranges that the defines switch off
    all_branches: Tree | None = None  # the tree of the text with every branch in it, where branches are inactive


def parse(source: bytes, defines: Iterable[str] | None = None) -> ParsedSource:
    """Parse `source` (UTF-8), with `defines` deciding `#if` branches.

    Never raises on malformed input: what cannot be parsed ends in error nodes.
    """
    text = _blank(source, [(0, 3)]) if source.startswith(b"\xef\xbb\xbf") else source
    parser = Parser(LANGUAGE)
    inactive: list[tuple[int, int]] = []
    whole: Tree | None = None
    active = _rewrite_new_syntax(text)
    if b"#if" in text or b"# if" in text:
        inactive = inactive_ranges(text, DEFAULT_DEFINES if defines is None else frozenset(defines))
        if inactive:
            whole = parser.parse(active)
        active = _blank(active, inactive)
        active = _blank(active, [match.span() for match in _DIRECTIVE_LINE.finditer(active)])
    tree = parser.parse(active)
    if tree.root_node.has_error:
        tree, active = _repair(parser, tree, active)
    return ParsedSource(tree, active, source, tuple(inactive), whole)


def inactive_ranges(text: bytes, defines: frozenset[str]) -> list[tuple[int, int]]:
    """Byte ranges of `text` between directives that are switched off under `defines`."""
    known = set(defines)
    ranges: list[tuple[int, int]] = []
    # Each open #if: [the enclosing code is active, a branch was taken, this branch is active]
    stack: list[list[bool]] = []
    off_since: int | None = None
    for match in _DIRECTIVE.finditer(text):
        word, rest = match.group(1), match.group(2).decode("utf-8", "replace")
        active_before = all(level[2] for level in stack)
        if word == b"if":
            taken = active_before and _evaluate(rest, known)
            stack.append([active_before, taken, taken])
        elif word in (b"elif", b"else") and stack:
            level = stack[-1]
            level[2] = level[0] and not level[1] and (word == b"else" or _evaluate(rest, known))
            level[1] = level[1] or level[2]
        elif word == b"endif" and stack:
            stack.pop()
        elif word in (b"define", b"undef") and active_before:
            name = rest.split("//")[0].strip()
            (known.add if word == b"define" else known.discard)(name)
        active_after = all(level[2] for level in stack)
        if active_before and not active_after:
            off_since = match.end()
        elif not active_before and active_after and off_since is not None:
            ranges.append((off_since, match.start()))
            off_since = None
        elif not active_before and not active_after and word in (b"elif", b"else") and off_since is None:
            off_since = match.end()
    if off_since is not None:
        ranges.append((off_since, len(text)))
    return ranges


def _evaluate(condition: str, defines: set[str]) -> bool:
    """Value of a `#if` condition; a malformed one counts as false."""
    try:
        return _Condition(_TOKEN.findall(condition.split("//")[0]), defines).either()
    except RecursionError:
        return False


class _Condition:
    """Recursive descent over the tokens of one condition."""

    def __init__(self, tokens: list[str], defines: set[str]) -> None:
        self._tokens = tokens[::-1]
        self._defines = defines

    def _next_is(self, *words: str) -> bool:
        return bool(self._tokens) and self._tokens[-1] in words

    def _take(self) -> str:
        return self._tokens.pop() if self._tokens else ""

    def either(self) -> bool:
        value = self._both()
        while self._next_is("||"):
            self._take()
            value = self._both() or value
        return value

    def _both(self) -> bool:
        value = self._equality()
        while self._next_is("&&"):
            self._take()
            value = self._equality() and value
        return value

    def _equality(self) -> bool:
        value = self._primary()
        while self._next_is("==", "!="):
            same = self._take() == "=="
            value = (value == self._primary()) is same
        return value

    def _primary(self) -> bool:
        token = self._take()
        if token == "!":
            return not self._primary()
        if token == "(":
            value = self.either()
            self._take()
            return value
        return token == "true" or token in self._defines


def _blank(text: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    """`text` with the ranges turned to spaces, line ends kept."""
    out = bytearray(text)
    for start, end in ranges:
        out[start:end] = re.sub(rb"[^\r\n]", b" ", text[start:end])
    return bytes(out)


def _pad(replacement: bytes) -> Callable[[re.Match[bytes]], bytes]:
    """A substitution by `replacement` that keeps the length of what it replaces."""
    return lambda match: replacement.ljust(len(match.group(0)))


def _only_words(match: re.Match[bytes]) -> bytes:
    """The match with everything but identifiers blanked."""
    return re.sub(rb"\W", b" ", match.group(0))


# Written as a struct with a primary constructor, an extension block keeps its receiver and its members.
_EXTENSION_BLOCK = re.compile(rb"(?<=[\s{};])extension(?=\s*[<(][^;{}]*\)\s*(?:where[^;{}]*)?\{)")
EXTENSION_BLOCK_NAME = "E_"
_NULL_CONDITIONAL_ASSIGNMENT = re.compile(rb"(?<=[\w\])])\?(?=(?:\.\w+|\[[^\[\]\r\n]*\])+\s*(?:[-+*/|&^]|\?\?)?=[^=>])")


def _rewrite_new_syntax(text: bytes) -> bytes:
    """Rewrite what the grammar takes for something else without reporting an error."""
    if b"extension" in text:
        text = _EXTENSION_BLOCK.sub(b"struct E_", text)
    if text.startswith(b"#!"):
        text = _blank(text, [(0, (text + b"\n").index(b"\n"))])
    if b"\n#:" in text or text.startswith(b"#:"):
        text = re.sub(rb"(?m)^#:[^\r\n]*", lambda m: b" " * len(m.group(0)), text)
    if b"allows ref struct" in text:
        text = re.sub(rb"allows ref struct", _pad(b"class"), text)
    return text


_REPAIRS: tuple[tuple[re.Pattern[bytes], bytes | Callable[[re.Match[bytes]], bytes]], ...] = (
    (re.compile(rb"\bref(?=\s+partial\s+struct\b)"), _pad(b"")),
    (_NULL_CONDITIONAL_ASSIGNMENT, _pad(b" ")),
    # `*(uint*)&x`: a pointer cannot be multiplied, so the star is always a dereference
    (re.compile(rb"\*[ \t]*\([ \t]*[\w.]+[ \t]*\*+[ \t]*\)[ \t]*&?"), _pad(b"")),
    # `*p++ = x;`
    (re.compile(rb"\*+\w+(?:\+\+|--)(?=\s*(?:[-+*/|&^]|<<|>>)?=[^=])"), _only_words),
    # `F(ref x) = y;`, a call as the target of an assignment
    (re.compile(rb"(?<=[;{}\n])(\s*[\w.]+(?:<[\w.<>, ]*>)?\([^;{}\r\n]*\)\s+)=(?=\s)"), rb"\1+"),
    # `*p = x;` and `*p++ = x;` at the start of a statement
    (re.compile(rb"(?<=[;{})\n])(\s*)\*+(?=[\w(][^;\r\n]*=[^=])"), lambda m: m.group(0).replace(b"*", b" ")),
    # `(byte*)p`
    (re.compile(rb"\([ \t]*[\w.]+[ \t]*\*+[ \t]*\)(?=[\w(&])"), lambda m: m.group(0).replace(b"*", b" ")),
    (re.compile(rb"\boperator\s*(?:\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<=|>>=)"), lambda m: m.group(0).replace(b"=", b" ")),
    # `(ref x, out y) =>`, modifiers without types
    (
        re.compile(rb"\((?:[^()]*\b(?:ref|out|in|scoped|params)\s+)[^()]*\)(?=\s*=>)"),
        lambda m: re.sub(rb"\b(?:ref|out|in|scoped|params)\b", lambda k: b" " * len(k.group(0)), m.group(0)),
    ),
    (re.compile(rb"(?<=[(,=]\s)static(?=\s+(?:async\s+)?(?:\([^()]*\)|\w+)\s*=>)"), _pad(b"")),
    (re.compile(rb"\bscoped(?=\s+(?:ref|in|Span|ReadOnlySpan|\w+\s+\w+))"), _pad(b"")),
    (re.compile(rb"(?<=[,(])(\s*)params(?=\s+[A-Z])"), lambda m: m.group(0).replace(b"params", b"      ")),
    (re.compile(rb"\b(?:fixed)(?=\s+[\w.]+\s+\w+\[)"), _pad(b"")),
)


def _repair(parser: Parser, tree: Tree, text: bytes) -> tuple[Tree, bytes]:
    """Try each rewrite on a file with errors and keep those that leave less of it in error."""
    cost = _error_bytes(tree)
    for pattern, replacement in _REPAIRS:
        candidate = pattern.sub(replacement, text)
        if candidate == text:
            continue
        attempt = parser.parse(candidate)
        attempt_cost = _error_bytes(attempt)
        if attempt_cost < cost:
            tree, text, cost = attempt, candidate, attempt_cost
            if cost == 0:
                break
    return tree, text


def _error_bytes(tree: Tree) -> int:
    """How much of a file is in error: bytes in error nodes plus one for each missing token."""
    total = 0
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.is_error:
            total += node.end_byte - node.start_byte + 1
        elif node.is_missing:
            total += 1
        elif node.has_error:
            stack.extend(node.children)
    return total
