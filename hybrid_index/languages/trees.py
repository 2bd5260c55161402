"""What every adapter with a syntax tree needs: bounded parsing, where statements begin, what is broken."""

from __future__ import annotations

import time
from typing import Literal

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from hybrid_index.languages.cutting import Rank
from hybrid_index.languages.layout import Layout
from hybrid_index.types import Span

_PARSE_BASE_S = 0.3
_PARSE_S_PER_MB = 2.0
_MAX_UNFINISHED = 4_096
_MAX_NESTING = 14  # blocks nested deeper are never the best place to cut
_MAX_CHILDREN = 20_000  # a node with more is data, and listing its children costs more than it helps
_NO_STATEMENT = 60.0
_MAX_BROKEN = 100  # regions named for one file


class Deadline:
    """Stops a parse that needs far more time than text of its size should.

    Ordinary files take .04-.21 s per MB whatever the language; repeated unclosed brackets or quotes can cost a grammar
    time and memory that grow with the square (8 kB of `x=>` took 4.6 s and 2.3 GB with the Java grammar). The
    thread's own processor time is counted, so that a busy machine changes nothing.
    """

    def __init__(self, size: int) -> None:
        self._end = time.thread_time() + _PARSE_BASE_S + _PARSE_S_PER_MB * size / 1_000_000

    def passed(self) -> bool:
        """Whether the time is up."""
        return time.thread_time() > self._end


def parse_bounded(language: Language, source: bytes) -> Tree | None:
    """Parse UTF-8 text; None when the parser gives up or its time is up."""
    deadline = Deadline(len(source))
    view = memoryview(source)  # slices of it cost nothing, and the parser keeps every one it asked for
    try:
        return Parser(language).parse(lambda offset, _: view[offset:], progress_callback=lambda *_: deadline.passed())
    except ValueError:
        return None


def matches(query: Query, root: Node, source: bytes) -> list[tuple[int, dict[str, list[Node]]]]:
    """The matches of a query. How many may be unfinished at once is bounded, or deep nesting would cost its square.

    A query may ask `(#one-of? @capture "a" "b")` of a captured text. The binding's own text predicates read through the
    parser's input function, which is gone by now, and crash.
    """

    def one_of(
        predicate: str,
        args: list[tuple[str, Literal["capture", "string"]]],
        pattern_index: int,
        captures: dict[str, list[Node]],
    ) -> bool:
        nodes = captures.get(args[0][0])
        if not nodes:
            return False
        text = source[nodes[0].start_byte : nodes[0].end_byte].decode("utf-8", "replace")
        return any(text == value for value, _ in args[1:])

    return QueryCursor(query, match_limit=_MAX_UNFINISHED).matches(root, one_of)


def statement_rank(root: Node, layout: Layout) -> Rank:
    """Rank lines by how deep the statement nests that begins there; lines inside a statement are no place to begin.

    The tree is looked at when the first line is asked for: most files are never cut.
    """
    depths: dict[int, int] = {}

    def rank(line: int) -> float:
        if not depths:
            depths.update(_depths(root, layout))
        if layout.is_blank(line):
            return _NO_STATEMENT * 2
        badness = float(depths.get(line, _NO_STATEMENT))
        if layout.lines[line - 1].lstrip()[:1] in ("}", ")", "]"):
            badness += _NO_STATEMENT / 2
        return badness if layout.is_blank(line - 1) else badness + 0.4

    return rank


def _depths(root: Node, layout: Layout) -> dict[int, int]:
    """Nesting of the outermost node that begins at the first character of each line."""
    found: dict[int, int] = {0: 0}
    level = [root]
    for depth in range(_MAX_NESTING):
        following: list[Node] = []
        for node in level:
            if node.child_count > _MAX_CHILDREN:
                continue
            for child in node.named_children:
                row, column = child.start_point
                if row + 1 not in found and row < layout.count and column <= layout.indent(row + 1):
                    found[row + 1] = depth
                if child.end_point[0] - row > 2:
                    following.append(child)
        level = following
    return found


def broken_regions(root: Node) -> tuple[Span, ...]:
    """Lines of the outermost syntax errors; empty for nearly every file."""
    if not root.has_error:
        return ()
    out: list[Span] = []
    stack = [root]
    while stack and len(out) < _MAX_BROKEN:
        node = stack.pop()
        if node.is_error:
            out.append(Span(node.start_point[0] + 1, node.end_point[0] + 1))
        elif node.has_error and node.child_count <= _MAX_CHILDREN:
            stack.extend(reversed(node.children))
    return tuple(out)
