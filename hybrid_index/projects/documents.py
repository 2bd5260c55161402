"""XML of project files as a light tree: no entities, no external references, bounded size and depth.

A tree of its own rather than ElementTree's, because every remark about a project names a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

# The largest project file in the corpora is 90 kB; a generated database project reaches about 1 MB.
MAX_DOCUMENT_BYTES = 4_000_000
# MSBuild's own format needs seven levels (Choose nested twice); anything far deeper is hostile.
MAX_DEPTH = 64


class UnreadableDocument(Exception):
    """A project file that cannot be used; the message says why, for a person."""


@dataclass(slots=True, eq=False)
class Node:
    """An element: attribute names are in lower case, since MSBuild ignores case for metadata."""

    tag: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Node] = field(default_factory=list)
    _literal: bool | None = field(default=None, init=False)

    @property
    def is_literal(self) -> bool:
        """Whether the element has attributes alone, none of which holds an expression, a wildcard or an escape."""
        if self._literal is None:
            attributes = self.attributes
            plain = not self.children and "condition" not in attributes and "exclude" not in attributes
            self._literal = plain and not any(char in value for value in attributes.values() for char in "$@%*?")
        return self._literal

    @property
    def condition(self) -> str:
        """The Condition attribute, "" where there is none."""
        return self.attributes.get("condition", "")


class _TreeTarget:
    """Receives the parser's events and builds `Node`s."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.expat: Any = None
        self._open: list[Node] = []
        self._text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise UnreadableDocument(f"elements are nested deeper than {MAX_DEPTH} levels")
        node = Node(
            _local(tag),
            {_local(name).lower(): value for name, value in attributes.items()},
            self.expat.CurrentLineNumber,
        )
        if self._open:
            self._open[-1].children.append(node)
        elif self.root is None:
            self.root = node
        self._open.append(node)
        self._text = []

    def data(self, text: str) -> None:
        self._text.append(text)

    def end(self, tag: str) -> None:
        node = self._open.pop()
        if not node.children:
            node.text = "".join(self._text)
        self._text = []

    def close(self) -> None:
        """The parser asks for this; the tree is read from `root`."""


def parse_document(content: bytes) -> Node:
    """Parse one XML file.

    Raises:
        UnreadableDocument: it is too large, not well-formed, or uses a document type or entities.
    """
    if len(content) > MAX_DOCUMENT_BYTES:
        raise UnreadableDocument(f"the file is larger than {MAX_DOCUMENT_BYTES:,} bytes and was not read")
    target = _TreeTarget()
    parser = DefusedXMLParser(target=target, forbid_dtd=True)
    target.expat = parser.parser
    try:
        parser.feed(content)
        parser.close()
    except DefusedXmlException:
        raise UnreadableDocument("the file declares a document type or entities, which are not allowed here") from None
    except ParseError as error:
        raise UnreadableDocument(f"not well-formed XML: {error}") from error
    except (LookupError, ValueError) as error:
        raise UnreadableDocument(f"the file's encoding cannot be read: {error}") from error
    if target.root is None:
        raise UnreadableDocument("the file holds no element")
    return target.root


def _local(name: str) -> str:
    """The name without its namespace."""
    return name.rpartition("}")[2]
