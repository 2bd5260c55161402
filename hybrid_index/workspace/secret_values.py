"""Whether the literal beside a credential's name is a credential, or a placeholder, a label, an identifier."""

from __future__ import annotations

import math
import re
from collections import Counter

_PLACEHOLDER = re.compile(
    r"""^(?:
        [<{\[(%$].* | .*\$[({].* | .*\{\{?[\w.: -]*\}\}?.* | .*%\w+%.* | .*<[\w .:-]+>.* | \#\{.* | @\w[\w.]*
        | (?:\#|\.|\*|x|_|-|\?|…|•|0|1)+ | (.)\1+ | env[:.].* | «secret»
        | null | none | undefined | true | false | string | test | todo | tbd
        | (?:your|my|insert|enter|put|some|replace|change|add|use|set|example|dummy|fake|sample|redacted|hidden|removed)
          (?:[-_ ].*|me|this|it)?
        | (?:your|insert|enter|example|dummy|fake|sample|replace|change)(?-i:[A-Z]).* | .*(?:\.\.\.|…)
        | .*(?:placeholder|change[-_ ]?(?:me|this|it)|replace[-_ ]?(?:me|this|with)|example|redacted|your[-_ ]).*
        | (?:abc|123|1234|abcd|qwerty|foo|bar|baz|lorem)+[\w!]{0,3} | .*[-_]here[-_!\d]*
    )$""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_GUID = re.compile(r"^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$", re.IGNORECASE)
_TOKEN_TEXT = re.compile(r"^[A-Za-z0-9+/=_.~!*$-]+$")
_HEX = re.compile(r"^[0-9a-fA-F]+$")
_WORDS = re.compile(r"^[A-Za-z]+(?:[-_./:][A-Za-z]+[0-9]{0,4})*[0-9]{0,4}$")
_TURN = re.compile(r"(?<=[A-Za-z])[0-9]|(?<=[0-9])[A-Za-z]")
_SHORTEST_RANDOM = 16
# Random hexadecimal of 32 characters has about 3.6 bits a character, base64 of 24 about 4.2, English words about 3.2.
_HEX_ENTROPY = 2.8
_OTHER_ENTROPY = 3.3
_FEWEST_TURNS = 3  # between letters and digits; identifiers with a version have one or two


def is_placeholder(value: str) -> bool:
    """Whether a value stands for a credential without being one: `<password>`, `${TOKEN}`, `your-key`, `****`."""
    return _PLACEHOLDER.match(value) is not None


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def looks_random(value: str, *, guids: bool = False) -> bool:
    """Whether a value looks like a generated token. A GUID counts only where `guids` says so: most are plain ids."""
    if _GUID.match(value):
        return guids
    if len(value) < _SHORTEST_RANDOM or not _TOKEN_TEXT.match(value) or _WORDS.match(value) or "//" in value:
        return False
    if _HEX.match(value):
        return entropy(value) >= _HEX_ENTROPY
    return len(_TURN.findall(value)) >= _FEWEST_TURNS and entropy(value) >= _OTHER_ENTROPY


_SYMBOL_INSIDE = re.compile(r"^[^\s].*[!@#$%^&*+~].*[A-Za-z0-9]$|^[A-Za-z0-9].*[!@#$%^&*+~].*$")
_SLUG = re.compile(r"^[a-z]+(?:[-_][a-z0-9]+){2,}$")
# `user2_password`, `password2`: names of things, where `password123` is what people choose.
_LABEL = re.compile(r"^[a-z_]*\d{0,2}[a-z_]*(?:password|passwd|pwd|secret|token)[a-z_]*\d{0,2}$", re.IGNORECASE)
_NOT_PASSWORD = re.compile(r"[\s()\[\]{}\\|<>]|://|^[#.@$/~-]|^\w+@\w+\.\w+$")


def looks_like_password(value: str) -> bool:
    """Whether a value looks like a password that somebody chose: letters with digits or symbols, no text, no code."""
    if not 6 <= len(value) <= 128 or _NOT_PASSWORD.search(value) or not any(char.isalpha() for char in value):
        return False
    if _SLUG.match(value) or _LABEL.match(value):
        return False
    if any(char.isdigit() for char in value):
        return True
    return _SYMBOL_INSIDE.match(value[:-1]) is not None


_HARMLESS = re.compile(
    r"^(?:true|false|yes|no|on|off|null|none|\d{1,5}|[a-z][a-z_.-]{0,15}|https?://[^@?]*|[\w.-]+:\d{1,5}|\.{0,2}/[\w./-]*)$",
    re.IGNORECASE,
)


def is_harmless_setting(value: str) -> bool:
    """Whether a value of a settings file is a switch, a number, a plain word, an address or a path."""
    return _HARMLESS.match(value) is not None
