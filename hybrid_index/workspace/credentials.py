"""Files that exist to hold credentials: they are never indexed, whatever the settings say about masking."""

from __future__ import annotations

import re

CREDENTIAL_NAME = "the name says that the file holds credentials"

_NAME = re.compile(
    r"""^(?:
        id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?
        | .+\.(?:pfx|p12|p8|ppk|jks|keystore|kdbx|publishsettings|pkcs12|pkcs8|tfstate|tfstate\.backup|ovpn)
        | \.(?:netrc|pgpass|htpasswd|git-credentials|dockercfg) | _netrc | htpasswd
        | secrets?\.(?:json|ya?ml|toml|ini) | (?:client_)?credentials?\.(?:json|ya?ml|toml|csv) | kubeconfig
        | .*service[-_]?account.*key.*\.json
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
_PLACE = re.compile(
    r"(?:^|/)(?:\.aws/credentials|\.kube/config|\.docker/config\.json|\.ssh/(?!config$|known_hosts$)[^/.]+)$"
)
_PRIVATE_KEY_FILE = re.compile(r"^\s*(?:Bag Attributes.*?)?-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----", re.DOTALL)
_KEY_FILE_NAME = re.compile(r"(?:\.(?:pem|key|priv|private|der|crt|asc|gpg|pgp)|^[^.]+)$", re.IGNORECASE)
_PRIVATE_JWK = re.compile(r'"kty"\s*:', re.IGNORECASE)
_PRIVATE_JWK_PART = re.compile(r'"(?:d|k)"\s*:\s*"[\w-]{16,}"', re.IGNORECASE)
_SETTINGS_NAME = re.compile(r"^(?:\.env(?:\..+)?|\.flaskenv|.+\.env)$", re.IGNORECASE)
_MODEL_NAME = re.compile(r"example|sample|template|dist|default|schema", re.IGNORECASE)


def is_credential_path(path: str) -> bool:
    """Whether a path says that the file holds credentials and nothing else."""
    return _NAME.match(path.rpartition("/")[2]) is not None or _PLACE.search(path) is not None


def holds_private_key(path: str, text: str) -> bool:
    """Whether a file is a private key, by its first lines (`server.key`, `cert.pem`) or its members (`tempkey.jwk`)."""
    name = path.rpartition("/")[2]
    if "PRIVATE KEY" in text[:2_000] and _KEY_FILE_NAME.search(name) and _PRIVATE_KEY_FILE.match(text):
        return True
    if not name.lower().endswith((".jwk", ".jwks")):
        return False
    return _PRIVATE_JWK.search(text) is not None and _PRIVATE_JWK_PART.search(text) is not None


def is_settings_file(path: str) -> bool:
    """Whether a file keeps the settings of one installation (`.env`), models of such files aside (`.env.example`)."""
    name = path.rpartition("/")[2]
    return _SETTINGS_NAME.match(name) is not None and _MODEL_NAME.search(name) is None
