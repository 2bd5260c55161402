"""Where statements begin, from a syntax tree: the places at which a long function is cut."""

from __future__ import annotations

from tree_sitter import Node

from hybrid_index.languages.cutting import Rank
from hybrid_index.languages.layout import Layout

_MAX_NESTING = 14  # blocks nested deeper are never the best place to cut
_MAX_CHILDREN = 20_000  # a node with more is data, and listing its children costs more than it helps
_NO_STATEMENT = 60.0


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
