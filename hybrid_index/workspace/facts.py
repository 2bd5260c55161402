"""What a path alone says, worked out once: a sweep over thousands of unchanged files is mostly these answers."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid_index.workspace.classify import extension_of, is_binary_name, is_generated, is_test, language_of
from hybrid_index.workspace.credentials import CREDENTIAL_NAME, is_credential_path
from hybrid_index.workspace.names import is_indexable_name
from hybrid_index.workspace.options import ScopeOptions
from hybrid_index.workspace.skips import SkipReason

MAX_REMEMBERED = 500_000  # paths: some 200 MB, and more than any workspace that is indexed at all


@dataclass(frozen=True, slots=True)
class Facts:
    """What a path says about its file."""

    language: str
    is_test: bool
    is_generated: bool
    skip: tuple[SkipReason, str] | None  # why the name alone leaves the file out


class NameFacts(dict[str, Facts]):
    """`facts[path]` works the answer out on first use. It depends on the path and the options only."""

    def __init__(self, options: ScopeOptions) -> None:
        super().__init__()
        self._include = _extensions(options.include_extensions)
        self._exclude = _extensions(options.exclude_extensions)

    def __missing__(self, path: str) -> Facts:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        skip = self._skip(path)
        if skip is None:
            facts = Facts(language_of(path), is_test(path), is_generated(path), None)
        else:
            facts = Facts("", False, False, skip)
        self[path] = facts
        return facts

    def _skip(self, path: str) -> tuple[SkipReason, str] | None:
        if not is_indexable_name(path):
            return SkipReason.BAD_NAME, "the name is not valid UTF-8 or holds control characters"
        if self._include or self._exclude:
            extension = extension_of(path)
            named = extension or "files without one"
            if self._include and extension not in self._include:
                return SkipReason.EXCLUDED_BY_SETTING, f"include_extensions does not name {named}"
            if extension in self._exclude:
                return SkipReason.EXCLUDED_BY_SETTING, f"exclude_extensions names {named}"
        if is_credential_path(path):
            return SkipReason.SECRET, CREDENTIAL_NAME
        if is_binary_name(path):
            return SkipReason.BINARY, f"{extension_of(path)} files are not text"
        return None


def _extensions(given: tuple[str, ...]) -> frozenset[str]:
    return frozenset(text.lower() if not text or text.startswith(".") else "." + text.lower() for text in given)
