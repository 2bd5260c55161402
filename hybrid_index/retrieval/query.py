"""Understanding a query: words, phrases and filters, what kind of question it is, and the keyword expression for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hybrid_index.retrieval.options import FusionOptions
from hybrid_index.store import expand_word, split_identifier, words

MAX_QUERY_CHARS = 4_000  # noise beyond this costs time and finds nothing more
MAX_TERMS = 64  # distinct words that take part in a search

# Words of a question that name nothing in a code base. AND over all words loses half of the answers, and OR over words
# that stand in every file drowns the rest.
STOP_WORDS = frozenset(
    """a about above after again all also an and any are as at be because been before being between both but by can
    could did do does doing done during each either else ever every for from get gets getting had has have
    having here how i if in into is it its itself just like made make makes many may might more most much must
    my no nor not of off on once one only onto or other our out over own per rather same shall she should so
    some somebody someone something such than that the their them then there these they this those through to
    too under until up upon us use used uses using very via was way we were what when where whether which
    while who whom whose why will with within without would yet you your""".split()
)

_FILTER = re.compile(r"(?<!\S)(path|lang|language|ext|project):(\S+)", re.I)
_PHRASE = re.compile(r'"([^"]{2,200})"')
_SYMBOL = re.compile(r"^[A-Za-z_@][\w]*(?:(?:\.|::|#)[A-Za-z_]\w*)*(?:<[\w, ]*>)?(?:\(\))?$")
_PATH = re.compile(r"^[\w.@-]*[/\\][\w./\\@*-]*$|^[\w-]+\.[A-Za-z]{1,8}$")
_SPELLED = {"c#": "csharp", "f#": "fsharp", "c++": "cpp", ".net": "dotnet"}
_SPELLED_PATTERN = re.compile(r"(?<![\w])(?:c#|f#|c\+\+|\.net\b)", re.I)


@dataclass(frozen=True, slots=True)
class Query:
    """A query, understood."""

    text: str  # without filters
    kind: str  # "symbol", "path", "literal", "natural", "empty"
    terms: tuple[str, ...]  # words as written, stop words left out
    tokens: tuple[str, ...]  # lower-case words and parts that the keyword channel looks for
    phrases: tuple[str, ...]
    expression: str  # FTS5 syntax; "" when there is nothing to look for
    relaxed: str  # the same without the demand that phrases occur
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    symbols: tuple[str, ...] = field(default=())  # words that look like identifiers


def analyse(raw: str) -> Query:
    """Understand a query string. Any string is accepted."""
    text = raw[:MAX_QUERY_CHARS].replace("\0", " ")
    filters: dict[str, list[str]] = {"path": [], "lang": [], "ext": [], "project": []}
    for key, value in _FILTER.findall(text):
        filters["lang" if key.lower().startswith("lang") else key.lower()].append(value)
    text = _FILTER.sub(" ", text).strip()
    phrases = tuple(phrase.strip() for phrase in _PHRASE.findall(text) if words(phrase))
    spelled = [_SPELLED[found.lower()] for found in _SPELLED_PATTERN.findall(text)]
    all_words = [*words(text), *spelled]
    kept = [word for word in all_words if word.lower() not in STOP_WORDS] or all_words
    terms = tuple(dict.fromkeys(kept))[:MAX_TERMS]
    tokens = tuple(dict.fromkeys(token.lower() for term in terms for token in expand_word(term).split()))
    relaxed = " OR ".join(f'"{token}"' for token in tokens)
    demanded = " AND ".join(_phrase(phrase) for phrase in phrases)
    expression = f"({relaxed}) AND {demanded}" if demanded and relaxed else relaxed
    return Query(
        text=text,
        kind=_kind(text, terms, phrases),
        terms=terms,
        tokens=tokens,
        phrases=phrases,
        expression=expression,
        relaxed=relaxed,
        paths=tuple(filters["path"]),
        languages=tuple(value.lower() for value in filters["lang"]),
        extensions=tuple("." + value.lower().lstrip(".") for value in filters["ext"]),
        projects=tuple(filters["project"]),
        symbols=tuple(term for term in terms if looks_like_identifier(term)),
    )


def _phrase(phrase: str) -> str:
    parts = [part.lower() for word in words(phrase) for part in (split_identifier(word) or [word])]
    return '"' + " ".join(parts) + '"'


def looks_like_identifier(word: str) -> bool:
    """Whether a word is written as code: an inner capital, an underscore, or a digit after letters."""
    return "_" in word.strip("_") or any(c.isupper() for c in word[1:]) or (word[:1].isalpha() and word[-1:].isdigit())


def _kind(text: str, terms: tuple[str, ...], phrases: tuple[str, ...]) -> str:
    if not terms:
        return "empty"
    if phrases and text.strip().startswith('"') and text.strip().endswith('"') and len(phrases) == 1:
        return "literal"
    if " " not in text and _PATH.match(text):
        return "path"
    if " " not in text and _SYMBOL.match(text):
        return "symbol"
    if len(terms) <= 2 and any(looks_like_identifier(term) for term in terms):
        return "symbol"
    return "natural"


def channel_weights(query: Query, options: FusionOptions) -> tuple[float, float]:
    """Give alpha and beta for a query: as set, unless short and symbol-like queries may lean on keywords."""
    if options.adapt_to_query and (
        query.kind in ("symbol", "path", "literal") or len(query.terms) <= options.short_query_tokens
    ):
        return options.short_query_alpha, 1.0 - options.short_query_alpha
    return options.alpha, options.beta
