"""Git's `wildmatch` patterns as regular expressions over text in which each character stands for one byte."""

from __future__ import annotations

import re
import string
from itertools import product

_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, [*range(32), 127])),
    "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))),
    "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))),
    "punct": string.punctuation,
    "space": " \t\n\r\f\v",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}
_SPECIAL = re.compile(r"[*?\[\\]")
_SMALL_SET = re.compile(r"\[([^\]\[!^\\/:-]{1,3})\]")
MAX_SETS = 4  # at most 81 texts a pattern


class _NeverMatches(Exception):
    """The pattern is malformed; git then matches nothing."""


def translate(pattern: str, *, stops_at_slash: bool) -> re.Pattern[str] | None:
    """Compile a pattern for `fullmatch`; None for a malformed pattern, which matches nothing.

    With `stops_at_slash` the wildcards do not cross `/`, except `**` between slashes or at either end.
    """
    special = _SPECIAL.search(pattern)
    start = special.start() if special and stops_at_slash else 0
    # Git compares the literal start first and hands only the rest to wildmatch, so `a**/b` acts as `a` + `**/b`.
    try:
        body = _Translation(pattern[start:], stops_at_slash).run()
    except _NeverMatches:
        return None
    return re.compile(re.escape(pattern[:start]) + body, re.DOTALL)


def literals(pattern: str) -> list[str]:
    """The few texts that a pattern without stars stands for (`[Bb]in`: `Bin`, `bin`); empty when they are not few."""
    pieces = _SMALL_SET.split(pattern)  # literal, set, literal, set, ... literal
    if not pattern or len(pieces) > 2 * MAX_SETS + 1 or any(_SPECIAL.search(piece) for piece in pieces[::2]):
        return []
    choices = [[piece] if index % 2 == 0 else list(piece) for index, piece in enumerate(pieces)]
    return ["".join(choice) for choice in product(*choices)]


class _Translation:
    """One pattern, read from left to right.

    Backtracking is bounded: the leftmost match of what stands between two stars is always the best one, so all but the
    last star of a component, and all but the last run between `**`, are atomic. Otherwise `*a*a*a*a*b` in a hostile
    ignore file would take exponential time.
    """

    def __init__(self, pattern: str, stops_at_slash: bool) -> None:
        self._pattern = pattern
        self._stops = stops_at_slash
        self._at = 0
        self._star = "[^/]*?" if stops_at_slash else ".*?"

    def run(self) -> str:
        runs: list[tuple[str, list[list[str]]]] = [("", [[]])]  # (leading `**`, pieces between stars)
        while self._at < len(self._pattern):
            char = self._pattern[self._at]
            if char == "*":
                crossing = self._stars()
                if crossing:
                    runs.append((crossing, [[]]))
                elif runs[-1][1][-1] or len(runs[-1][1]) == 1:  # a star after a star adds nothing
                    runs[-1][1].append([])
                continue
            self._at += 1
            runs[-1][1][-1].append(self._single(char))
        last = len(runs) - 1
        return "".join(
            f"(?>{crossing}{self._run(pieces)})" if 0 < index < last else crossing + self._run(pieces)
            for index, (crossing, pieces) in enumerate(runs)
        )

    def _run(self, pieces: list[list[str]]) -> str:
        out = ["".join(pieces[0])]
        out.extend(f"(?>{self._star}{''.join(piece)})" for piece in pieces[1:-1])
        if len(pieces) > 1:
            out.append(self._star + "".join(pieces[-1]))
        return "".join(out)

    def _single(self, char: str) -> str:
        if char == "?":
            return "[^/]" if self._stops else "."
        if char == "[":
            return self._bracket()
        return re.escape(self._next() if char == "\\" else char)

    def _next(self) -> str:
        if self._at >= len(self._pattern):
            raise _NeverMatches
        self._at += 1
        return self._pattern[self._at - 1]

    def _stars(self) -> str:
        """Read a run of stars; returns what `**` stands for, or "" for an ordinary star."""
        text, start = self._pattern, self._at
        while self._at < len(text) and text[self._at] == "*":
            self._at += 1
        rest = text[self._at :]
        whole_component = start == 0 or text[start - 1] == "/"
        if not self._stops or self._at - start < 2 or not whole_component:
            return ""
        if rest.startswith("/"):
            self._at += 1
            return "(?:.*?/)??"
        return ".*?" if rest == "" or rest.startswith("\\/") else ""

    def _bracket(self) -> str:
        negated = self._peek() in ("!", "^")
        if negated:
            self._at += 1
        chars: set[int] = set()
        previous = ""
        char = self._next()
        while True:
            previous = self._member(char, previous, chars)
            char = self._next()
            if char == "]":
                break
        if negated:
            chars = set(range(1, 256)) - chars
        if self._stops:
            chars.discard(ord("/"))
        if not chars:
            return "(?!)"
        return "[" + "".join(re.escape(chr(code)) for code in sorted(chars)) + "]"

    def _member(self, char: str, previous: str, chars: set[int]) -> str:
        """Take in one member of a set; returns what a following `-` would start a range from."""
        after = self._peek()
        if char == "\\":
            char = self._next()
        elif char == "-" and previous and after not in ("", "]"):
            end = self._next()
            if end == "\\":
                end = self._next()
            chars.update(range(ord(previous), ord(end) + 1))
            return ""
        elif char == "[" and after == ":":
            close = self._pattern.find("]", self._at + 1)
            if close < 0:
                raise _NeverMatches
            name = self._pattern[self._at + 1 : close]
            if name.endswith(":"):
                if name[:-1] not in _CLASSES:
                    raise _NeverMatches
                chars.update(map(ord, _CLASSES[name[:-1]]))
                self._at = close + 1
                return ""
        chars.add(ord(char))
        return char

    def _peek(self) -> str:
        return self._pattern[self._at] if self._at < len(self._pattern) else ""
