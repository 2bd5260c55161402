"""Conditions of project files, with a third outcome: not known.

`and` and `or` follow Kleene's logic: `false and unknown` is false, `true or unknown` is true, so that a condition is
reported as unknown only where the unknown part decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from hybrid_index.projects.expressions import Scope, closing_bracket, expand, unescape
from hybrid_index.projects.functions import absolute_path, parse_version

# Brackets and negations inside one condition; the deepest seen is 3.
MAX_NESTING = 32


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a condition: True, False, or None with the reason why it is not known."""

    value: bool | None
    reason: str = ""


class ConditionSyntaxError(ValueError):
    """A condition that does not follow the syntax."""


@dataclass(frozen=True, slots=True)
class Operand:
    """One side of a comparison, still with its expressions."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`."""

    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Call:
    """`Exists(..)` or `HasTrailingSlash(..)`."""

    name: str
    argument: Operand


@dataclass(frozen=True, slots=True)
class Negation:
    """`! operand`."""

    operand: Term


@dataclass(frozen=True, slots=True)
class Junction:
    """`and` or `or` over two or more terms."""

    operator: str
    terms: tuple[Term, ...]


Term = Operand | Comparison | Call | Negation | Junction

_TOKEN = re.compile(r"\s*(?:(?P<op>==|!=|<=|>=|<|>|!|\(|\)|,)|(?P<word>[A-Za-z0-9_.+\-:\\/*?]+))")
_COMPARISONS = {"==", "!=", "<", ">", "<=", ">="}
_TRUE = {"true", "on", "yes", "!false", "!off", "!no"}
_FALSE = {"false", "off", "no", "!true", "!on", "!yes"}


def evaluate_condition(text: str, scope: Scope) -> Outcome:
    """Evaluate a condition; an empty one is true. Never raises."""
    if not text or text.isspace():
        return Outcome(True)
    parsed = _parse_cached(text)
    if isinstance(parsed, str):
        return Outcome(None, parsed)
    return _evaluate(parsed, scope)


def parse_condition(text: str) -> Term:
    """Parse a condition.

    Raises:
        ConditionSyntaxError: it does not follow the syntax.
    """
    parser = _Parser(text)
    term = parser.junction("or", 0)
    if parser.peek():
        raise ConditionSyntaxError(f"unexpected '{parser.peek()[:20]}'")
    return term


@lru_cache(maxsize=8192)
def _parse_cached(text: str) -> Term | str:
    try:
        return parse_condition(text)
    except ConditionSyntaxError as error:
        return f"the condition cannot be parsed: {error}"


class _Parser:
    """Recursive descent over one condition."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0

    def peek(self) -> str:
        """Text of the next token, "" at the end."""
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _is_operator(self, *texts: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][0] == "op" and self.peek() in texts

    def _is_word(self, word: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][0] == "word" and self.peek().lower() == word

    def junction(self, operator: str, depth: int) -> Term:
        """Parse terms joined by `or`, or by `and` one level down."""

        def inner() -> Term:
            return self.junction("and", depth) if operator == "or" else self._term(depth)

        terms = [inner()]
        while self._is_word(operator):
            self._at += 1
            terms.append(inner())
        return terms[0] if len(terms) == 1 else Junction(operator, tuple(terms))

    def _term(self, depth: int) -> Term:
        if depth > MAX_NESTING:
            raise ConditionSyntaxError("brackets are nested too deeply")
        if self._is_operator("!"):
            self._at += 1
            return Negation(self._term(depth + 1))
        if self._is_operator("("):
            self._at += 1
            term = self.junction("or", depth + 1)
            self._expect(")")
            return term
        operand = self._operand()
        if self._is_operator("(") and not operand.quoted:
            return self._call(operand.text)
        if self._is_operator(*_COMPARISONS):
            operator = self.peek()
            self._at += 1
            return Comparison(operator, operand, self._operand())
        return operand

    def _call(self, name: str) -> Term:
        if name.lower() not in ("exists", "hastrailingslash"):
            raise ConditionSyntaxError(f"the function '{name[:40]}' does not exist in conditions")
        self._at += 1
        argument = self._operand()
        self._expect(")")
        return Call(name.lower(), argument)

    def _operand(self) -> Operand:
        if self._at >= len(self._tokens):
            raise ConditionSyntaxError("it ends too early")
        kind, text = self._tokens[self._at]
        negative = kind == "op" and text == "!" and self._at + 1 < len(self._tokens)
        if kind == "op" and not negative:
            raise ConditionSyntaxError(f"unexpected '{text}'")
        if negative:
            raise ConditionSyntaxError("'!' cannot stand on one side of a comparison")
        self._at += 1
        return Operand(text, kind == "quoted")

    def _expect(self, operator: str) -> None:
        if not self._is_operator(operator):
            raise ConditionSyntaxError(f"'{operator}' is missing")
        self._at += 1


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        char = text[position]
        if char.isspace():
            position += 1
        elif char == "'":
            end = _closing_quote(text, position + 1)
            tokens.append(("quoted", text[position + 1 : end]))
            position = end + 1
        elif char in "$@%" and text[position + 1 : position + 2] == "(":
            end = closing_bracket(text, position + 2)
            if end < 0:
                raise ConditionSyntaxError("a bracket is not closed")
            tokens.append(("expression", text[position : end + 1]))
            position = end + 1
        elif (match := _TOKEN.match(text, position)) is not None:
            kind = "op" if match["op"] else "word"
            tokens.append((kind, match[kind]))
            position = match.end()
        else:
            raise ConditionSyntaxError(f"unexpected '{char}'")
    return tokens


def _closing_quote(text: str, start: int) -> int:
    """End of a quoted text, which may hold expressions with quotes of their own."""
    position = start
    while position < len(text):
        if text[position] == "'":
            return position
        if text[position] in "$@%" and text[position + 1 : position + 2] == "(":
            end = closing_bracket(text, position + 2)
            position = end if end > 0 else position
        position += 1
    raise ConditionSyntaxError("a quote is not closed")


def _evaluate(term: Term, scope: Scope) -> Outcome:
    if isinstance(term, Junction):
        return _evaluate_junction(term, scope)
    if isinstance(term, Negation):
        outcome = _evaluate(term.operand, scope)
        return outcome if outcome.value is None else Outcome(not outcome.value)
    if isinstance(term, Comparison):
        return _compare(term, scope)
    if isinstance(term, Call):
        return _evaluate_call(term, scope)
    text, reason = _operand_text(term, scope)
    if reason:
        return Outcome(None, reason)
    value = _as_boolean(text)
    return Outcome(value, "" if value is not None else f"'{text[:60]}' is neither true nor false")


def _evaluate_junction(term: Junction, scope: Scope) -> Outcome:
    decisive = term.operator == "or"
    unknown: Outcome | None = None
    for each in term.terms:
        outcome = _evaluate(each, scope)
        if outcome.value is decisive:
            return outcome
        if outcome.value is None:
            unknown = unknown or outcome
    return unknown or Outcome(not decisive)


def _evaluate_call(term: Call, scope: Scope) -> Outcome:
    text, reason = _operand_text(term.argument, scope)
    if reason:
        return Outcome(None, reason)
    if term.name == "hastrailingslash":
        return Outcome(text.endswith(("/", "\\")))
    candidates = [part.strip() for part in text.split(";") if part.strip()]
    found = [scope.functions.path_exists(absolute_path(each, scope.condition_directory)) for each in candidates]
    if False in found or not found:
        return Outcome(False)
    if None in found:
        return Outcome(None, f"'{text[:60]}' lies outside the workspace")
    return Outcome(True)


def _compare(term: Comparison, scope: Scope) -> Outcome:
    left, left_reason = _operand_text(term.left, scope)
    right, right_reason = _operand_text(term.right, scope)
    if left_reason or right_reason:
        return Outcome(None, left_reason or right_reason)
    if term.operator in ("==", "!="):
        return Outcome(_equal(left, right) == (term.operator == "=="))
    return _ordered(term.operator, left, right)


def _equal(left: str, right: str) -> bool:
    left_number, right_number = _as_number(left), _as_number(right)
    if left_number is not None and right_number is not None:
        return left_number == right_number
    left_boolean, right_boolean = _as_boolean(left), _as_boolean(right)
    if left_boolean is not None and right_boolean is not None:
        return left_boolean == right_boolean
    return left.casefold() == right.casefold()


_ORDER: dict[str, Callable[[int], bool]] = {
    "<": lambda sign: sign < 0,
    ">": lambda sign: sign > 0,
    "<=": lambda sign: sign <= 0,
    ">=": lambda sign: sign >= 0,
}


def _ordered(operator: str, left: str, right: str) -> Outcome:
    left_number, right_number = _as_number(left), _as_number(right)
    if left_number is not None and right_number is not None:
        return Outcome(_ORDER[operator]((left_number > right_number) - (left_number < right_number)))
    try:
        first, second = ((*parse_version(text), 0, 0, 0, 0)[:4] for text in (left, right))
    except ValueError:
        return Outcome(None, f"'{left[:40]}' and '{right[:40]}' cannot be ordered")
    return Outcome(_ORDER[operator]((first > second) - (first < second)))


def _operand_text(operand: Operand, scope: Scope) -> tuple[str, str]:
    notes: list[str] = []
    text = unescape(expand(operand.text, scope, notes))
    return text, notes[0] if notes else ""


_NUMBER = re.compile(r"\s*(?:[+-]?\d{1,18}(?:\.\d{1,18})?|0x[0-9a-f]{1,15})\s*$", re.IGNORECASE | re.ASCII)


def _as_number(text: str) -> float | None:
    if not _NUMBER.match(text):
        return None
    return float(int(text.strip(), 16)) if "x" in text.lower() else float(text)


def _as_boolean(text: str) -> bool | None:
    folded = text.strip().lower()
    return True if folded in _TRUE else False if folded in _FALSE else None
