"""The functions of MSBuild expressions that are evaluated here; any other is reported as unknown.

Nothing here reads the environment, the clock, the registry or file contents: a project file must mean the same on
every machine that holds the same workspace. Environment variables therefore count as unset.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Protocol

from hybrid_index.projects.frameworks import Framework, is_compatible, parse_framework


class Unknowable(Exception):
    """The outcome of a call is not known here; the message says why."""


class FunctionContext(Protocol):
    """What functions may ask about the workspace and the build."""

    @property
    def operating_system(self) -> str:
        """One of "Windows", "Linux" and "OSX"."""

    @property
    def this_file_directory(self) -> str:
        """Folder of the file being evaluated, ending in `/`."""

    @property
    def project_directory(self) -> str:
        """Folder of the project being evaluated, without a slash at the end."""

    def path_exists(self, path: str) -> bool | None:
        """Whether a file or folder exists; `path` is absolute. None: it lies where nothing is read."""

    def file_above(self, name: str, directory: str) -> str | None:
        """The nearest file called `name` in `directory` or above it, inside the workspace."""


class Version(tuple[int, ...]):
    """A `System.Version`; parts that were not given are absent."""


def absolute_path(path: str, base: str) -> str:
    """Join and normalise with `/`, as MSBuild does on every system but Windows."""
    path = path.replace("\\", "/")
    if path[1:2] == ":":
        path = "/" + path  # a drive: never inside the workspace
    joined = path if path.startswith("/") else posixpath.join(base, path)
    normal = posixpath.normpath(joined)
    return "/" + normal.lstrip("/") if normal.startswith("/") else normal


def parse_version(text: str) -> Version:
    """Read "1.2.3", "v1.2" or "1.2.3-beta+x" as a version.

    Raises:
        ValueError: it is not one.
    """
    digits = re.split(r"[-+]", text.strip().lstrip("vV"), maxsplit=1)[0]
    parts = digits.split(".")
    if not 1 <= len(parts) <= 4 or not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        raise ValueError(f"'{text[:40]}' is not a version")
    return Version(int(part) for part in parts)


def to_text(value: object) -> str:
    """Write a function's result as MSBuild does."""
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, Version):
        return ".".join(map(str, value))
    if isinstance(value, list):
        return ";".join(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def call_static(type_name: str, member: str, arguments: Sequence[str], context: FunctionContext) -> object:
    """Call `[type]::member(arguments)`.

    Raises:
        Unknowable: the function is not one of those evaluated here.
        ValueError: the arguments do not fit it.
    """
    function = _STATIC.get((type_name.lower(), member.lower()))
    if function is None:
        raise Unknowable(f"the function [{type_name}]::{member} is not evaluated")
    return function(context, *arguments)


def call_method(value: object, member: str, arguments: Sequence[str]) -> object:
    """Call a method of a value; see `call_static` for what it raises."""
    name = member.lower()
    if isinstance(value, Version):
        if name == "tostring":
            return ".".join(map(str, value[: int(arguments[0])])) if arguments else to_text(value)
        if name == "compareto":
            other = parse_version(arguments[0])
            return (value > other) - (value < other)
        raise Unknowable(f"the method Version.{member} is not evaluated")
    if isinstance(value, list):
        if name == "get_chars":
            return value[_index(arguments[0], len(value))]
        raise Unknowable(f"the method {member} of a list is not evaluated")
    method = _STRING_METHODS.get(name)
    if method is None:
        raise Unknowable(f"the method {member} is not evaluated")
    return method(to_text(value), *arguments)


def read_member(value: object, member: str) -> object:
    """Read a property of a value; see `call_static` for what it raises."""
    name = member.lower()
    if isinstance(value, Version):
        place = {"major": 0, "minor": 1, "build": 2, "revision": 3}.get(name)
        if place is not None:
            return value[place] if place < len(value) else -1
    elif name == "length":
        return len(value) if isinstance(value, list) else len(to_text(value))
    elif not isinstance(value, list):
        if name in _STRING_METHODS and name.startswith(("to", "trim")):
            return _STRING_METHODS[name](to_text(value))
    raise Unknowable(f"the member {member} is not evaluated")


def _index(text: str, length: int) -> int:
    position = int(text)
    if not 0 <= position < length:
        raise ValueError(f"position {position} is outside 0..{length - 1}")
    return position


def _substring(text: str, start: str, length: str | None = None) -> str:
    begin = int(start)
    count = len(text) - begin if length is None else int(length)
    if begin < 0 or count < 0 or begin + count > len(text):
        raise ValueError("the range is outside the text")
    return text[begin : begin + count]


def _removed(text: str, start: str, count: str | None = None) -> str:
    begin = _index(start, len(text) + 1)
    return text[:begin] + ("" if count is None else text[begin + int(count) :])


def _padded(text: str, width: str, fill: str, left: bool) -> str:
    if int(width) > 1000:
        raise ValueError("the width is too large")
    return text.rjust(int(width), fill) if left else text.ljust(int(width), fill)


def _split(text: str, separators: str = " ") -> list[str]:
    return re.split("[" + re.escape(separators) + "]", text) if separators else [text]


def _same(text: str, other: str, comparison: str = "") -> bool:
    return text.casefold() == other.casefold() if "ignorecase" in comparison.lower() else text == other


def _folding(test: Callable[[str, str], bool]) -> Callable[..., bool]:
    """Let a text test honour an optional StringComparison argument."""

    def run(text: str, other: str, comparison: str = "") -> bool:
        if "ignorecase" in comparison.lower():
            return test(text.casefold(), other.casefold())
        return test(text, other)

    return run


_STRING_METHODS: dict[str, Callable[..., object]] = {
    "contains": _folding(lambda text, other: other in text),
    "startswith": _folding(lambda text, other: text.startswith(other)),
    "endswith": _folding(lambda text, other: text.endswith(other)),
    "equals": _same,
    "compareto": lambda text, other: (text > other) - (text < other),
    "replace": lambda text, old, new: text.replace(old, new) if old else text,
    "tolower": lambda text: text.lower(),
    "tolowerinvariant": lambda text: text.lower(),
    "toupper": lambda text: text.upper(),
    "toupperinvariant": lambda text: text.upper(),
    "tostring": lambda text, *_: text,
    "trim": lambda text, chars=None: text.strip(chars),
    "trimstart": lambda text, chars=None: text.lstrip(chars),
    "trimend": lambda text, chars=None: text.rstrip(chars),
    "substring": _substring,
    "remove": _removed,
    "insert": lambda text, at, other: text[: _index(at, len(text) + 1)] + other + text[int(at) :],
    "indexof": lambda text, other, *_: text.find(other),
    "lastindexof": lambda text, other, *_: text.rfind(other),
    "padleft": lambda text, width, fill=" ": _padded(text, width, fill, True),
    "padright": lambda text, width, fill=" ": _padded(text, width, fill, False),
    "split": _split,
    "get_chars": lambda text, at: text[_index(at, len(text))],
}


# What MSBuild makes of an empty name: the outer build of a project with several target frameworks has none.
_UNSUPPORTED = Framework("Unsupported", (0, 0))


def _framework(name: str) -> Framework:
    framework = parse_framework(name) if name else _UNSUPPORTED
    if framework is None:
        raise Unknowable(f"'{name[:40]}' is not a known target framework")
    return framework


def _compatible(_: FunctionContext, target: str, candidate: str) -> bool:
    return bool(target and candidate) and is_compatible(_framework(target), _framework(candidate))


def _framework_version(_: FunctionContext, name: str, parts: str = "2") -> str:
    return _padded_version(_framework(name).version, parts)


def _platform_version(_: FunctionContext, name: str, parts: str = "2") -> str:
    return _padded_version(_framework(name).platform_version, parts)


def _padded_version(version: Sequence[int], parts: str) -> str:
    return ".".join(map(str, (*version, 0, 0, 0, 0)[: max(min(int(parts), 4), len(version))]))


def _directory_above(context: FunctionContext, directory: str, name: str) -> str:
    found = context.file_above(name, absolute_path(directory, context.project_directory))
    return posixpath.dirname(found) if found else ""


def _file_above(context: FunctionContext, name: str, directory: str = "") -> str:
    start = absolute_path(directory or context.this_file_directory, context.this_file_directory)
    return context.file_above(name, start) or ""


def _normal_path(context: FunctionContext, *parts: str) -> str:
    return absolute_path(_combined(context, *parts), context.project_directory)


def _combined(_: FunctionContext, *parts: str) -> str:
    joined = ""
    for part in parts:
        part = part.replace("\\", "/")
        joined = part if part.startswith("/") or not joined else joined.rstrip("/") + "/" + part
    return joined


def _slashed(path: str) -> str:
    path = path.replace("\\", "/")
    return path if not path or path.endswith("/") else path + "/"


def _relative(context: FunctionContext, base: str, path: str) -> str:
    relative = posixpath.relpath(
        absolute_path(path, context.project_directory), absolute_path(base, context.project_directory)
    )
    return relative + "/" if path.endswith(("/", "\\")) else relative


def _path_exists(context: FunctionContext, path: str) -> bool:
    exists = context.path_exists(absolute_path(path, context.project_directory))
    if exists is None:
        raise Unknowable(f"'{path[:60]}' lies outside the workspace")
    return exists


def _is_platform(context: FunctionContext, name: str) -> bool:
    wanted = {"macos": "osx", "darwin": "osx"}.get(name.lower(), name.lower())
    return wanted == context.operating_system.lower()


def _number(text: str) -> float:
    return float(text)


def _compared(test: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> Callable[..., bool]:
    def run(_: FunctionContext, left: str, right: str) -> bool:
        padded = [(*parse_version(text), 0, 0, 0, 0)[:4] for text in (left, right)]
        return test(padded[0], padded[1])

    return run


# Only literals, alternatives, anchors and escaped punctuation: such patterns cannot backtrack, whoever wrote them.
_SAFE_PATTERN = re.compile(r"(?:[A-Za-z0-9 _/,:;=<>@!&~'\"\-^$|]|\\[.\-\\/])*\Z")


def _matches(_: FunctionContext, text: str, pattern: str) -> bool:
    if _SAFE_PATTERN.match(pattern) is None:
        raise Unknowable("only regular expressions made of literals, alternatives and anchors are evaluated")
    return re.search(pattern, text) is not None


_STATIC: dict[tuple[str, str], Callable[..., object]] = {
    ("msbuild", "getpathoffileabove"): _file_above,
    ("msbuild", "getdirectorynameoffileabove"): _directory_above,
    ("msbuild", "istargetframeworkcompatible"): _compatible,
    ("msbuild", "gettargetframeworkidentifier"): lambda _, name: _framework(name).identifier,
    ("msbuild", "gettargetframeworkversion"): _framework_version,
    ("msbuild", "gettargetplatformidentifier"): lambda _, name: _framework(name).platform,
    ("msbuild", "gettargetplatformversion"): _platform_version,
    ("msbuild", "isosplatform"): _is_platform,
    ("msbuild", "isosunixlike"): lambda context: context.operating_system != "Windows",
    ("msbuild", "normalizepath"): _normal_path,
    ("msbuild", "normalizedirectory"): lambda context, *parts: _slashed(_normal_path(context, *parts)),
    ("msbuild", "ensuretrailingslash"): lambda _, path: _slashed(path),
    ("msbuild", "makerelative"): _relative,
    ("msbuild", "valueordefault"): lambda _, value, default: value or default,
    ("msbuild", "escape"): lambda _, text: text,
    ("msbuild", "unescape"): lambda _, text: text,
    ("msbuild", "add"): lambda _, left, right: _number(left) + _number(right),
    ("msbuild", "subtract"): lambda _, left, right: _number(left) - _number(right),
    ("msbuild", "multiply"): lambda _, left, right: _number(left) * _number(right),
    ("msbuild", "divide"): lambda _, left, right: _number(left) / _number(right),
    ("msbuild", "modulo"): lambda _, left, right: _number(left) % _number(right),
    ("msbuild", "versionequals"): _compared(lambda left, right: left == right),
    ("msbuild", "versionnotequals"): _compared(lambda left, right: left != right),
    ("msbuild", "versiongreaterthan"): _compared(lambda left, right: left > right),
    ("msbuild", "versiongreaterthanorequals"): _compared(lambda left, right: left >= right),
    ("msbuild", "versionlessthan"): _compared(lambda left, right: left < right),
    ("msbuild", "versionlessthanorequals"): _compared(lambda left, right: left <= right),
    ("system.io.path", "combine"): _combined,
    ("system.io.path", "getfilename"): lambda _, path: posixpath.basename(path.replace("\\", "/")),
    ("system.io.path", "getdirectoryname"): lambda _, path: posixpath.dirname(path.replace("\\", "/")),
    ("system.io.path", "getextension"): lambda _, path: posixpath.splitext(path.replace("\\", "/"))[1],
    ("system.io.path", "getfilenamewithoutextension"): lambda _, path: posixpath.splitext(
        posixpath.basename(path.replace("\\", "/"))
    )[0],
    ("system.io.path", "getfullpath"): lambda context, path: absolute_path(path, context.project_directory),
    ("system.io.path", "ispathrooted"): lambda _, path: path.startswith(("/", "\\")) or path[1:2] == ":",
    ("system.io.path", "directoryseparatorchar"): lambda context: (
        "\\" if context.operating_system == "Windows" else "/"
    ),
    ("system.io.path", "changeextension"): lambda _, path, extension: (
        posixpath.splitext(path)[0] + (extension if extension.startswith(".") else "." + extension)
    ),
    ("system.io.file", "exists"): _path_exists,
    ("system.io.directory", "exists"): _path_exists,
    ("system.string", "isnullorempty"): lambda _, text="": not text,
    ("system.string", "isnullorwhitespace"): lambda _, text="": not text.strip(),
    ("system.string", "copy"): lambda _, text="": text,
    ("system.string", "new"): lambda _, text="": text,
    ("system.string", "concat"): lambda _, *parts: "".join(parts),
    ("system.string", "equals"): lambda _, left, right, comparison="": _same(left, right, comparison),
    ("system.string", "join"): lambda _, separator, *parts: separator.join(parts),
    ("system.version", "parse"): lambda _, text: parse_version(text),
    ("system.version", "new"): lambda _, text: parse_version(text),
    ("system.convert", "toint32"): lambda _, text: int(text),
    ("system.convert", "toboolean"): lambda _, text: text.strip().lower() == "true",
    ("system.text.regularexpressions.regex", "ismatch"): _matches,
    ("system.environment", "getenvironmentvariable"): lambda _, __: "",
    ("system.operatingsystem", "iswindows"): lambda context: context.operating_system == "Windows",
    ("system.operatingsystem", "islinux"): lambda context: context.operating_system == "Linux",
    ("system.operatingsystem", "ismacos"): lambda context: context.operating_system == "OSX",
    ("system.runtime.interopservices.osplatform", "windows"): lambda _: "Windows",
    ("system.runtime.interopservices.osplatform", "linux"): lambda _: "Linux",
    ("system.runtime.interopservices.osplatform", "osx"): lambda _: "OSX",
    ("system.runtime.interopservices.runtimeinformation", "isosplatform"): _is_platform,
}
