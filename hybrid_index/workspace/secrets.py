"""Credentials inside text: found by form or by the name beside them, and replaced before anything is stored or shown.

Three ways to find one, in the order of certainty: forms that only credentials have (provider tokens, JSON web tokens,
private keys, passwords in URLs), values of connection strings, and literals beside a name such as `Password` or
`ApiKey` whose value looks like one (`secret_values.py`). Searching starts at fixed texts, which is fast: patterns that
start with a literal are scanned at 1.5 GB/s here, alternatives without one at 50 MB/s.

A wrong mask hides code from search, so doubt means "leave it": on eShop, MudBlazor and UVtools (444,518 lines) seven
lines are masked, each the literal of a name that says password or secret. detect-secrets 1.5 marks 65 lines there; what
it finds beyond these seven is hashes, encoded descriptors, file names, and the word "secret" as a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hybrid_index.workspace.secret_values import (
    is_harmless_setting,
    is_placeholder,
    looks_like_password,
    looks_random,
)

MASK = "«secret»"
CONTEXT_CHARS = 500  # of a line around a value: connection strings are shorter, one-line files are not

Span = tuple[int, int]

# -- forms that only credentials have ---------------------------------------------------------------------------------

# Each pattern starts with a literal (see above); the part in front of `_` and `-` is checked afterwards.
_FORMS = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        r"A(?:KIA|SIA)[A-Z2-7]{16}(?![A-Za-z0-9])",  # Amazon
        r"AIza[0-9A-Za-z_-]{35}(?![A-Za-z0-9_-])",  # Google
        r"SG\.[\w-]{16,32}\.[\w-]{32,64}",  # SendGrid
        r"ya29\.[\w-]{30,}",  # Google OAuth
        r"oy2[a-z0-9]{43}(?![a-z0-9])",  # NuGet
        r"eyJ(?<![\w-]eyJ)[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",  # JSON web token
        r"hooks\.slack\.com/services/(?P<value>T\w{6,}/B\w{6,}/\w{16,})",
        r"Q~(?P<value>[\w.~-]{31,34})(?![\w.~-])",  # Azure client secret: its first four characters may stay
    )
)
_AFTER_UNDERSCORE = re.compile(r"_[A-Za-z0-9]{20,}(?:_[A-Za-z0-9]{20,})?", re.ASCII)
_AFTER_DASH = re.compile(r"-[A-Za-z0-9_-]{20,}", re.ASCII)
_BEFORE = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[pousr]|github_pat|npm|[sr]k_(?:live|test)|glsa|hf|dop_v1|doo_v1|shp(?:at|ss|ca|pa)|lin_api"
    r"|rubygems|pul|figd|whsec|glpat|glptt|gldt|sk|sk-ant|sk-proj|pypi|xox[abeoprs]|xapp)$",
    re.ASCII,
)
_LONGEST_BEFORE = 12
_URL_PASSWORD = re.compile(r"://[^\s/:@\"'<>{}]{0,64}:(?P<value>[^\s/:@\"'<>{}]{3,128})@[\w.-]")
_SIGNATURE = re.compile(r"sig=(?P<value>[A-Za-z0-9%+/]{43,}={0,2})")
# At most 20,000 characters: an RSA key of 16,384 bits takes 13,000.
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?P<value>(?:(?!-----).){40,20000})", re.DOTALL
)
_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{40}")


def _form_spans(text: str) -> Iterator[Span]:
    yield from _token_spans(text)
    for found in _SIGNATURE.finditer(text):
        yield found.span("value")
    if "://" in text:
        for found in _URL_PASSWORD.finditer(text):
            if looks_like_password(found["value"]) or looks_random(found["value"]):
                yield found.span("value")
    if "PRIVATE KEY" in text:
        for found in _KEY_BLOCK.finditer(text):
            if _KEY_BODY.search(found["value"]):
                yield found.span("value")


def _token_spans(text: str) -> Iterator[Span]:
    for pattern in _FORMS:
        for found in pattern.finditer(text):
            yield found.span("value" if "value" in pattern.groupindex else 0)
    for pattern in (_AFTER_UNDERSCORE, _AFTER_DASH):
        for found in pattern.finditer(text):
            start = found.start()
            before = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
            if before and any(char.isdigit() for char in found.group()):
                yield start - len(before.group()), found.end()


# -- names beside values ----------------------------------------------------------------------------------------------

_PASSWORD_NAMES = ("passwords", "password", "passwd", "pwd", "passphrase")
_RANDOM_NAMES = ("secret", "token")
_KEY_QUALIFIERS = (
    *("api", "access", "account", "private", "encryption", "decryption", "validation", "signing", "shared", "master"),
    *("subscription", "storage", "auth", "client", "license", "service", "instrumentation", "signature", "hmac", "jwt"),
)
_BEFORE_KEY = tuple(qualifier + joint for qualifier in _KEY_QUALIFIERS for joint in ("", "_", "-", "."))
_PUBLIC_NAMES = ("publickey", "public_key", "public-key", "cancellation")
_NAME_REST = r"(?:s|hash|value|data|_?\d{1,2})?"
_SEPARATOR = (
    r"""(?:["'`],|["'`\]]{0,3}(?:[ \t]*\{[ \t]*get;[^}\n]{0,40}\})?[ \t]*(?:={1,3}>?|:=?|>|[ \t]value[ \t]*=))[ \t]*"""
)
_QUOTED = re.compile(
    _NAME_REST
    + _SEPARATOR
    + r"""(?:new[ \t]*\()?[@$rbuf]{0,2}(?:"(?P<d>[^"\n]{4,2000})"|'(?P<s>[^'\n]{4,2000})'|`(?P<b>[^`\n]{4,2000})`)""",
    re.IGNORECASE,
)
_BARE = re.compile(
    _NAME_REST + r"""["']?(?:[ \t]*[=:]|>)[ \t]*(?P<v>[^\s"'`,;<>(){}\[\]|&]{4,2000})(?=[\s;,<"']|$)""", re.IGNORECASE
)
_HEADER = re.compile(
    r"""["']?[ \t]*[:=,][ \t]*["'`]?(?:Bearer|Basic|Token)[ \t]+(?P<v>[A-Za-z0-9+/=_.~-]{16,})""", re.IGNORECASE
)
_CONNECTION = re.compile(r"""=(?P<v>[^;"'\s<>&|`]{3,256})""")
_CONNECTION_PARTS = (
    *("server=", "data source=", "host=", "hostname=", "endpoint=", "user id=", "uid=", "user=", "username=", "port="),
    *("database=", "initial catalog=", "accountname=", "defaultendpointsprotocol=", "sharedaccesskeyname=", "addr="),
    "address=",
)
_BARE_LANGUAGES = frozenset(
    {
        "yaml",
        "ini",
        "dotenv",
        "dockerfile",
        "bash",
        "xml",
        "msbuild",
        "http",
        "batch",
        "markdown",
        "text",
        "makefile",
        "hcl",
    }
)


def _named_spans(text: str, language: str) -> Iterator[Span]:
    lower = text.lower()
    if len(lower) != len(text):  # a few letters change their length; positions must hold
        lower = "".join(char.lower() if char < "\x80" else char for char in text)
    bare = language in _BARE_LANGUAGES
    for word in (*_PASSWORD_NAMES[1:], *_RANDOM_NAMES, "key"):
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            if word != "key" or lower.endswith(_BEFORE_KEY, max(0, at - 16), at):
                span = _value_span(text, lower, at, end, word, bare)
                if span:
                    yield span
            at = lower.find(word, end)
    at = lower.find("authorization")
    while at >= 0:
        found = _HEADER.match(text, at + len("authorization"))
        if found and looks_random(found["v"]):
            yield found.span("v")
        at = lower.find("authorization", at + 1)


def _value_span(text: str, lower: str, start: int, end: int, word: str, bare: bool) -> Span | None:
    """The span of the credential that follows a name, if one does."""
    connection = _CONNECTION.match(text, end)
    if connection and _in_connection_string(text, start, connection.end()) and not is_placeholder(connection["v"]):
        return connection.span("v")
    found = _QUOTED.match(text, end) or (bare and _BARE.match(text, end)) or None
    if found is None or lower.endswith(_PUBLIC_NAMES, max(0, start - 12), start):
        return None
    group = found.lastgroup
    assert group is not None
    value = found[group]
    is_password = word in _PASSWORD_NAMES
    if is_placeholder(value):
        return None
    if looks_random(value, guids=word in ("secret", "key")) or (
        looks_like_password(value) and (is_password or (word == "secret" and group != "v"))
    ):
        return found.span(group)
    return None


def _in_connection_string(text: str, start: int, end: int) -> bool:
    """Whether what stands at `start:end` is followed or preceded by another part of a connection string in its line."""
    before = text[max(0, start - CONTEXT_CHARS) : start].rpartition("\n")[2]
    after = text[end : end + CONTEXT_CHARS].partition("\n")[0]
    if not (before.rstrip().endswith(";") or after.startswith(";") or re.search(r";[ \t]*\w{1,20}$", before)):
        return False
    around = f"{before};{after}".lower().replace(" =", "=")
    return any(part in around for part in _CONNECTION_PARTS)


_SETTING = re.compile(r"""^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*["']?(?P<v>[^\n"']+)""", re.MULTILINE)


def _setting_spans(text: str) -> Iterator[Span]:
    """Every value of a `.env` file that is not plainly harmless: such a file is where credentials are kept."""
    for found in _SETTING.finditer(text):
        value = found["v"].rstrip()
        if not is_harmless_setting(value) and not is_placeholder(value):
            yield found.start("v"), found.start("v") + len(value)


# -- masking ----------------------------------------------------------------------------------------------------------

_LINE_CONTENT = re.compile(r"[^\s](?:.*[^\s])?")


def mask(text: str, language: str = "text", *, settings_file: bool = False) -> tuple[str, int]:
    """Replace credentials; returns the text with as many lines as before, and how many of them changed.

    `settings_file` says that the whole file holds settings of one installation (`.env`), so that values are masked
    unless they are plainly harmless.
    """
    spans = [*_form_spans(text), *_named_spans(text, language)]
    if settings_file:
        spans.extend(_setting_spans(text))
    if not spans:
        return text, 0
    out: list[str] = []
    done = lines = last = 0  # `last` is the end of what was masked last, white space after it aside
    for start, end in sorted(spans):
        if end <= done:
            continue
        start = max(start, done)
        out.append(text[done:start])
        value, count = _LINE_CONTENT.subn(MASK, text[start:end])
        out.append(value)
        lines += count - (count > 0 and last > 0 and "\n" not in text[last:start])
        last = start + len(text[start:end].rstrip())
        done = end
    out.append(text[done:])
    return "".join(out), lines
