"""Finding the keys of configuration formats, with a scan of tokens or lines: tolerant, linear, no values.

Each finder yields `Entry` values in order of lines; `config` makes chunks of them. Comments, trailing commas, unquoted
and single-quoted keys (JSON5), several documents in one file, and broken parts are all read as far as they make sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hybrid_index.languages.layout import Layout
from hybrid_index.languages.outline import Entry

MAX_KEY = 120  # characters of a key that are kept: longer ones are data
_DOCUMENT = -1  # depth of what separates documents of one file
_BELOW_SECTIONS = 1_000  # depth of keys in formats with section headers: below any dotted header

_JSON = re.compile(
    r"\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"
    r"|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|[{}\[\]:,]|[^\s{}\[\]:,\"'/]++|/"
)


def json_keys(layout: Layout) -> Iterator[Entry]:
    """Keys of objects at any depth; objects in lists are places without a name."""
    depth = 0
    word, word_at = "", 0
    after_key = False
    line, next_offset = 1, layout.offsets[1]
    offsets = layout.offsets
    for match in _JSON.finditer(layout.text):
        token = match.group()
        sign = token[0]
        if sign == ":" and word:
            while next_offset <= word_at:
                line += 1
                next_offset = offsets[line]
            yield Entry(line, depth, word.strip("\"'")[:MAX_KEY])
            word, after_key = "", True
        elif sign in "{[":
            if sign == "{" and not after_key:
                while next_offset <= match.start():
                    line += 1
                    next_offset = offsets[line]
                yield Entry(line, depth, "")
            depth += 1
            word, after_key = "", False
        elif sign in "}]":
            depth = max(depth - 1, 0)
            word, after_key = "", False
        elif sign == ",":
            word, after_key = "", False
        elif sign != "/" and not after_key:
            word, word_at = token, match.start()


_YAML = re.compile(
    r"( *)((?:- +)*+)"
    r"(?:(\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|(?:[^\s#:\"'{}\[\],&*!|>%@`-]|-(?=[^\s#:]))[^#:\n]{0,200}?) *:(?=\s|$)"
    r"(?: *(?:[&!][^\s]+ *)?([|>])[-+\d]{0,3} *(?:#.*)?$)?)?"
)


def yaml_keys(layout: Layout) -> Iterator[Entry]:
    """Keys of mappings by their indentation; items of lists are places without a name, text blocks are passed over."""
    block_indent = -1
    for number, text in enumerate(layout.lines, 1):
        if not text or text.isspace():
            continue
        indent = len(text) - len(text.lstrip(" "))
        if block_indent >= 0:
            if indent > block_indent:
                continue
            block_indent = -1
        if text.startswith("---"):
            yield Entry(number, _DOCUMENT, "")
            continue
        match = _YAML.match(text)
        if match is None:
            continue
        column = indent
        if match[2]:
            yield Entry(number, indent, "")
            column += len(match[2])
        if match[3]:
            yield Entry(number, column, match[3].strip("\"'")[:MAX_KEY])
            if match[4]:
                block_indent = column if not match[2] else indent


_TOML = re.compile(
    r"\s*(?:(\[{1,2})\s*([^\[\]\n]{1,200}?)\s*\]{1,2}"
    r"|((?:[\w.-]|\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'){1,200}+)\s*=)"
)


def toml_keys(layout: Layout) -> Iterator[Entry]:
    """Tables by the parts of their names, then their keys; text between triple quotes is passed over."""
    quote = ""
    for number, text in enumerate(layout.lines, 1):
        if quote:
            if text.count(quote) % 2:
                quote = ""
            continue
        match = _TOML.match(text)
        if match is not None:
            name = (match[2] or match[3]).replace('"', "").replace("'", "")[:MAX_KEY]
            yield Entry(number, name.count(".") if match[2] else _BELOW_SECTIONS, name)
        for sign in ('"""', "'''"):
            if sign in text and text.count(sign) % 2:
                quote = sign


_INI = re.compile(r"\s*(?:\[([^\]\n]{1,300})\]|(?:export\s+|set\s+)?([\w.:/@\"-]{1,200}?)\"?\s*[=:](?!\\))")


def ini_keys(layout: Layout) -> Iterator[Entry]:
    """Sections in brackets and `key = value` lines, also of `.properties`, `.env` and `.editorconfig` files."""
    for number, text in enumerate(layout.lines, 1):
        if text.lstrip()[:1] in ("#", ";", "!", ""):
            continue
        match = _INI.match(text)
        if match is None:
            continue
        if match[1]:
            yield Entry(number, 0, match[1].strip())
        else:
            yield Entry(number, 1, match[2].strip('"')[:MAX_KEY])


KeyFinder = Callable[[Layout], Iterator[Entry]]
KEY_FINDERS: dict[str, tuple[KeyFinder, tuple[str, ...]]] = {
    "json": (json_keys, ("//", "/*", "*")),
    "yaml": (yaml_keys, ("#",)),
    "toml": (toml_keys, ("#",)),
    "ini": (ini_keys, ("#", ";")),
    "dotenv": (ini_keys, ("#",)),
    "editorconfig": (ini_keys, ("#", ";")),
}
"""What finds the keys of a language, and what its comment lines begin with."""
