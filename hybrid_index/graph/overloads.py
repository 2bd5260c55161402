"""Choosing among overloads, as far as the types of the arguments are known."""

from __future__ import annotations

from typing import Any, NamedTuple

from hybrid_index.graph.algebra import MAYBE, NO, NULL, SAME, YES, Algebra, Env
from hybrid_index.graph.model import VALUE_KINDS, Member, Model, TypeDef, TypeParameter


class Candidate(NamedTuple):
    """A method that may be meant; for an extension call the receiver is the first argument."""

    member: Member
    env: Env
    depth: int
    extended: bool = False


class Argument(NamedTuple):
    """What is known of one argument before the method is chosen."""

    name: str | None
    modifier: str | None
    type: Any
    literal: bool
    lambda_node: Any  # the lowered lambda, bound only after the choice
    group: Any  # candidates of a method group
    open: bool  # `new()`, `default`, `[...]`: takes its type from the parameter


class Choice(NamedTuple):
    """The chosen method with its inferred type arguments."""

    candidate: Candidate
    env: Env
    places: list[int]  # parameter index of each argument
    expanded: bool
    sure: bool  # nothing else was applicable
    tied: bool = False  # another candidate fits as well, because types of arguments are unknown


class Overloads:
    """Overload resolution over one model."""

    def __init__(self, model: Model, algebra: Algebra) -> None:
        self.model = model
        self.algebra = algebra

    def choose(self, candidates: list[Candidate], args: list[Argument], targs: tuple[Any, ...] | None) -> Choice | None:
        """The best applicable candidate; None where none is applicable."""
        applicable: list[tuple[list[int], Choice, list[Any]]] = []
        for candidate in candidates:
            fitted = self._fit(candidate, args, targs)
            if fitted is not None:
                applicable.append(fitted)
        if not applicable:
            return None
        if len(applicable) == 1:
            scores, choice, _ = applicable[0]
            return choice
        best = applicable[0]
        tied = False
        for other in applicable[1:]:
            verdict = self._better(other, best, args)
            if verdict > 0:
                best, tied = other, False
            elif verdict == 0:
                tied = True
        unsure = tied or any(score == MAYBE for score in best[0])
        return best[1]._replace(sure=not unsure, tied=tied)

    def _fit(
        self, candidate: Candidate, args: list[Argument], targs: tuple[Any, ...] | None
    ) -> tuple[list[int], Choice, list[Any]] | None:
        member = candidate.member
        decl = member.decl
        parameters = decl.parameters
        if member.receiver is not None:
            parameters = (member.receiver.parameters[0], *parameters)
            if not candidate.extended:
                parameters = parameters[1:]
        types = self.model.parameter_types(member)
        if len(types) != len(parameters):
            types = types[1:]
        own = member.parameters
        if targs is not None and len(targs) != len(decl.type_parameters):
            return None
        places = self._places(parameters, args)
        if places is None:
            return None
        for normal in (True, False):
            if not normal and not (parameters and parameters[-1].modifier == "params"):
                continue
            result = self._fit_form(candidate, args, targs, parameters, types, own, places, not normal)
            if result is not None:
                return result
        return None

    def _places(self, parameters: tuple[Any, ...], args: list[Argument]) -> list[int] | None:
        count = len(parameters)
        has_params = bool(parameters) and parameters[-1].modifier == "params"
        places = []
        used = set()
        for position, arg in enumerate(args):
            if arg.name is not None:
                place = next((i for i, p in enumerate(parameters) if p.name == arg.name), -1)
                if place < 0 or place in used:
                    return None
            elif position < count:
                place = position
            elif has_params:
                place = count - 1
            else:
                return None
            used.add(place)
            places.append(place)
        for index, parameter in enumerate(parameters):
            if index not in used and not parameter.optional and parameter.modifier != "params":
                return None
        return places

    def _fit_form(  # noqa: C901 - one short case per form
        self,
        candidate: Candidate,
        args: list[Argument],
        targs: tuple[Any, ...] | None,
        parameters: tuple[Any, ...],
        types: tuple[Any, ...],
        own: tuple[TypeParameter, ...],
        places: list[int],
        expanded: bool,
    ) -> tuple[list[int], Choice, list[Any]] | None:
        last = len(parameters) - 1
        if not expanded and places.count(last) > 1 and last >= 0:
            return None
        env: Env = dict(candidate.env)
        wanted = set(own)
        if targs is not None:
            decl_own = own[len(own) - len(candidate.member.decl.type_parameters) :]
            for parameter, type_ in zip(decl_own, targs, strict=True):
                env[parameter] = type_
                wanted.discard(parameter)
        targets = []
        for place in places:
            type_ = types[place]
            if expanded and place == last:
                type_ = self.algebra.element(type_)
            targets.append(type_)
        if wanted:
            solved: Env = {}
            for arg, target in zip(args, targets, strict=True):
                if arg.lambda_node is None and arg.type is not None:
                    self.algebra.unify(self.algebra.substitute(target, candidate.env), arg.type, solved, wanted)
            env.update(solved)
        if targs is None and own and not self._inferable(own, types, places):
            return None
        scores = []
        resolved = []
        for arg, target, place in zip(args, targets, places, strict=True):
            made = self.algebra.substitute(target, env)
            resolved.append(made)
            score = self._score(arg, made, parameters[place].modifier)
            if score == NO:
                return None
            scores.append(score)
        for parameter in own:
            bound = env.get(parameter)
            if bound is not None and parameter.scope is not None and not self._satisfies(parameter, bound, env):
                return None
        return scores, Choice(candidate, env, places, expanded, True), resolved

    def _satisfies(self, parameter: TypeParameter, bound: Any, env: Env) -> bool:
        """Whether a type argument may meet its constraints."""
        value = self._is_value(bound)
        for syntax in parameter.constraints:
            if syntax[0] == "tkind":
                if value is not None and value != (syntax[1] != "class"):
                    return False
                continue
            constraint = self.algebra.substitute(self.model.resolve(syntax, parameter.scope), env)  # type: ignore[arg-type]
            if constraint is not None and self.algebra.converts(bound, constraint) == NO:
                return isinstance(bound[0], TypeDef) and self.algebra.has_unknown_base(bound)
        return True

    def _inferable(self, own: tuple[TypeParameter, ...], types: tuple[Any, ...], places: list[int]) -> bool:
        """Without written type arguments each one must be mentioned by a parameter that has an argument."""
        seen: set[TypeParameter] = set()
        for place in places:
            _mentioned(types[place], seen)
        return seen.issuperset(own)

    def _is_value(self, type_: Any) -> bool | None:
        """Whether a type is a value type that `struct` accepts; None where it cannot be told."""
        head = type_[0]
        if isinstance(head, TypeParameter):
            return True if head.is_value else None
        if not isinstance(head, TypeDef) or head.unknown:
            return None
        if head is self.model.nullable:
            return None
        return head.kind in VALUE_KINDS

    def _score(self, arg: Argument, target: Any, modifier: str) -> int:
        by_reference = arg.modifier in ("ref", "out")
        if by_reference != (modifier in ("ref", "out")):
            return NO
        if by_reference and arg.modifier != modifier:
            return NO
        if arg.lambda_node is not None:
            return self._lambda_score(arg.lambda_node, target)
        if arg.open or target is None:
            return MAYBE
        if arg.group is not None:
            if isinstance(target[0], TypeParameter):
                return MAYBE
            parts = self.algebra.delegate_parts(target)
            if parts is None:
                known = isinstance(target[0], TypeDef) and not target[0].unknown
                return NO if known and target[0].name not in ("Delegate", "MulticastDelegate", "Object") else MAYBE
            fits = any(len(c.member.decl.parameters) - c.extended == len(parts[0]) for c in arg.group)
            return YES if fits else MAYBE
        if by_reference and arg.type is not None:
            score = self.algebra.converts(arg.type, target)
            return score if score in (SAME, MAYBE) or isinstance(target[0], TypeParameter) else NO
        return self.algebra.converts(arg.type, target, arg.literal)

    def _lambda_score(self, node: Any, target: Any) -> int:
        if target is None or isinstance(target[0], TypeParameter):
            return MAYBE
        parts = self.algebra.delegate_parts(target)
        if parts is None:
            if not isinstance(target[0], TypeDef) or target[0].unknown:
                return MAYBE
            return MAYBE if target[0].name in ("Delegate", "Expression", "LambdaExpression", "Object") else NO
        params = node[1]
        if params is not None and len(params) != len(parts[0]):
            return NO
        returns = parts[1]
        void = returns is not None and returns == self.model.builtin["void"]
        value = returns_value(node)
        if node[3] and value is not None:
            if node[4]:
                task = returns is not None and returns[0] in self.model.tasks
                if task and bool(returns[1]) != value:
                    return NO
                return YES if task else NO if void and value else MAYBE
            if value and void:
                return NO
            if not value and not void and returns is not None:
                return NO
            return YES
        if void and not node[3] and not may_be_statement(node[2]):
            return NO
        if node[4] and returns is not None and returns[0] not in self.model.tasks and not void:
            return NO if isinstance(returns[0], TypeDef) and not returns[0].unknown else MAYBE
        return YES

    def _better(
        self,
        a: tuple[list[int], Choice, list[Any]],
        b: tuple[list[int], Choice, list[Any]],
        args: list[Argument],
    ) -> int:
        """Positive if `a` is the better choice, negative if `b` is, 0 if neither can be told."""
        first = second = False
        for index, arg in enumerate(args):
            verdict = self._better_argument(arg, a[2][index], b[2][index], a[0][index], b[0][index])
            first = first or verdict > 0
            second = second or verdict < 0
        if first != second:
            return 1 if first else -1
        ca, cb = a[1], b[1]
        if ca.candidate.depth != cb.candidate.depth and not first:
            return 1 if ca.candidate.depth < cb.candidate.depth else -1
        generic_a, generic_b = bool(ca.candidate.member.parameters), bool(cb.candidate.member.parameters)
        if generic_a != generic_b and not first:
            return -1 if generic_a else 1
        if ca.expanded != cb.expanded:
            return -1 if ca.expanded else 1
        missing_a = len(ca.candidate.member.decl.parameters) - len(args)
        missing_b = len(cb.candidate.member.decl.parameters) - len(args)
        if missing_a != missing_b and not first:
            return 1 if missing_a < missing_b else -1
        if first:
            sa, sb = sum(a[0]), sum(b[0])
            return (sa > sb) - (sa < sb)
        return self._more_specific(ca, cb)

    def _more_specific(self, a: Choice, b: Choice) -> int:
        """Compare declared parameter types: `List<T>` is more specific than `T`."""
        ta, tb = self.model.parameter_types(a.candidate.member), self.model.parameter_types(b.candidate.member)
        score = 0
        for x, y in zip(ta, tb, strict=False):
            px = x is not None and isinstance(x[0], TypeParameter)
            py = y is not None and isinstance(y[0], TypeParameter)
            score += py - px
            if not px and not py and x is not None and y is not None:
                score += _concrete(x) - _concrete(y)
        return score

    def _better_argument(self, arg: Argument, ta: Any, tb: Any, sa: int, sb: int) -> int:
        if ta == tb:
            return 0
        if arg.lambda_node is not None:
            return self._better_lambda(arg.lambda_node, ta, tb)
        if arg.type is None or arg.open:
            return 0
        if sa == SAME and sb != SAME:
            return 1
        if sb == SAME and sa != SAME:
            return -1
        if (sa == MAYBE) != (sb == MAYBE):
            return 1 if sb == MAYBE else -1
        if ta is None or tb is None or arg.type is NULL and False:
            return 0
        forward, backward = self.algebra.converts(ta, tb), self.algebra.converts(tb, ta)
        if forward >= YES and backward < YES:
            return 1
        if backward >= YES and forward < YES:
            return -1
        return 0

    def _better_lambda(self, node: Any, ta: Any, tb: Any) -> int:
        pa, pb = self.algebra.delegate_parts(ta), self.algebra.delegate_parts(tb)
        if pa is None or pb is None:
            return (pa is not None) - (pb is not None)
        ra, rb = pa[1], pb[1]
        task_a = ra is not None and ra[0] in self.model.tasks
        task_b = rb is not None and rb[0] in self.model.tasks
        if node[4] and task_a != task_b:
            return 1 if task_a else -1
        void = self.model.builtin["void"]
        if (ra == void) != (rb == void):
            return -1 if ra == void else 1
        return 0


def _mentioned(type_: Any, seen: set[TypeParameter]) -> None:
    """Collect the type parameters in a type."""
    if type_ is None:
        return
    if isinstance(type_[0], TypeParameter):
        seen.add(type_[0])
    for inner in type_[1]:
        _mentioned(inner, seen)


def _concrete(type_: Any) -> int:
    """How much of a type is not a type parameter."""
    if type_ is None or isinstance(type_[0], TypeParameter):
        return 0
    return 1 + sum(_concrete(a) for a in type_[1])


def returns_value(node: Any) -> bool | None:
    """Whether a block lambda returns a value; None where it never returns (it only throws, or loops)."""
    if not node[3]:
        return None
    seen = _returns(node[2])
    if seen is None:
        last = node[2][1][-1] if node[2][1] else None
        throws = last is not None and last[0] == "multi" and len(node[2][1]) == 1 and last[1] and last[1][0][0] == "new"
        return None if throws else False
    return seen


def _returns(node: Any) -> bool | None:
    if isinstance(node, tuple):
        if not node:
            return None
        if node[0] == "ret":
            return node[1] is not None
        if node[0] in ("lam", "localfn"):
            return None
    elif not isinstance(node, list):
        return None
    for child in node:
        if isinstance(child, (tuple, list)):
            found = _returns(child)
            if found is not None:
                return found
    return None


def may_be_statement(node: Any) -> bool:
    """Whether an expression may stand as a statement, and so be the body of an `Action`."""
    if node[0] == "un":
        return node[1] in ("++", "--")
    if node[0] == "ca":
        return may_be_statement(node[2])
    return node[0] in ("call", "asg", "new", "inew", "await", "throw")
