"""Credential files are never read; secret values are masked line by line before anything else sees the text."""

from __future__ import annotations

import posixpath
import re

MASK = "«secret»"

_CREDENTIAL_FILE = re.compile(
    r"^(?:id_(?:rsa|dsa|ecdsa|ed25519)|secrets\.json|credentials|\.netrc|_netrc|\.pgpass|\.htpasswd|\.git-credentials"
    r"|\.env(?:\.(?:local|production|development|staging))?|.*\.(?:pfx|p12|jks|keystore|kdbx|publishsettings|ppk|snk))$"
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S)

# Words one of which stands in every line that a rule below can match. Searched one by one with `str.find` on lower case:
# a regular expression over all of them costs fifty times as much as reading the file.
_HINTS = (
    *("password", "passwd", "pwd", "secret", "token", "api_key", "api-key", "apikey", "accountkey", "accesskey"),
    *("access_key", "access-key", "privatekey", "private_key", "private-key"),
    *("akia", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "xoxb-", "xoxa-", "xoxp-", "eyj", "sk_live_"),
    *("aiza", "sg."),
)
_KEY_HINTS = frozenset(_HINTS[:15])  # these need a value after them; the others are the value
_TOKENS = re.compile(
    r"\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,}|xox[abp]-[A-Za-z0-9-]{20,}"
    r"|sk_live_[A-Za-z0-9]{20,}|AIza[0-9A-Za-z_-]{35}|SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"
    r"|eyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{10,})"
)
# In a connection string, up to the next separator.
_CONNECTION = re.compile(
    r"(?i)\b((?:password|pwd|accountkey|sharedaccesskey|accesskey)\s*=\s*)(?![\s;\"'{$%<(]|\w+[.(])([^;\"'\s&<>]{3,})"
    r"(?=[;\"']|$)"
)
# A quoted value of a key that names a secret.
_ASSIGNED = re.compile(
    r"(?i)((?:password|passwd|secret|api[_-]?key|accesskey|access[_-]key|private[_-]?key|token)[\"']?"
    r"\s*[:=]\s*[\"'])([^\"'\s]{8,200})(?=[\"'])"
)
_PLACEHOLDER = re.compile(r"(?i)^(?:<.*>|\$\{?.*|%.*%|\{+.*\}+|x{3,}|\*{3,}|your.*|change.*|example.*|\.\.\.)$")


def is_credential_file(path: str) -> bool:
    """Whether a file exists to hold credentials, by its name."""
    return bool(_CREDENTIAL_FILE.match(posixpath.basename(path).lower()))


def mask_secrets(text: str) -> str:
    """Replace secret values by a mark; the number of lines stays the same."""
    if "PRIVATE KEY" in text:
        text = _PRIVATE_KEY.sub(lambda found: MASK + "\n" * found.group().count("\n"), text)
    numbers = _suspect_lines(text)
    if not numbers:
        return text
    lines = text.split("\n")
    for number in numbers:
        lines[number] = _mask_line(lines[number])
    return "\n".join(lines)


def _suspect_lines(text: str) -> set[int]:
    """Find the lines (from 0) that hold a hint and something that could be a value."""
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals grow in lower case; positions would shift
        lower = text
    numbers: set[int] = set()
    for hint in _HINTS:
        at, line, counted = lower.find(hint), 0, 0
        while at >= 0:
            line += lower.count("\n", counted, at)
            counted = at
            end = lower.find("\n", at)
            end = len(lower) if end < 0 else end
            rest = lower[at:end]
            if "=" in rest or ":" in rest or hint not in _KEY_HINTS:
                numbers.add(line)
            at = lower.find(hint, end)
    return numbers


def _mask_line(line: str) -> str:
    line = _TOKENS.sub(MASK, line)
    line = _CONNECTION.sub(lambda m: m[0] if _PLACEHOLDER.match(m[2]) else m[1] + MASK, line)
    return _ASSIGNED.sub(lambda m: m[1] + MASK if _looks_random(m[2]) else m[0], line)


def _looks_random(value: str) -> bool:
    """Tell a key from a word: letters and digits mixed, and not a name, path, address or placeholder."""
    if _PLACEHOLDER.match(value) or MASK in value or any(mark in value for mark in ("/", " ", "://", "(", "{", ".")):
        return False
    digits = sum(c.isdigit() for c in value)
    return digits >= 2 and any(c.isalpha() for c in value) and len(set(value)) >= 6 and "-" not in value[1:-1]
