"""What a path says about a file: its language, whether it is a test, whether it was generated, and its other half."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container
from functools import lru_cache

from hybrid_index.workspace.kinds import (
    BINARY_EXTENSIONS,
    LANGUAGE_BY_EXTENSION,
    LANGUAGE_BY_INTERPRETER,
    LANGUAGE_BY_NAME,
)

_DOCKERFILE = re.compile(r"^(?:dockerfile|containerfile)[.-]|\.(?:dockerfile|containerfile)$")
_DOTENV = re.compile(r"^\.env(?:\..+)?$|\.env(?:\.\w+)?$")
_RC_FILE = re.compile(r"^\.\w+rc$")
_TRANSPARENT = (".example", ".sample", ".template", ".tmpl", ".dist", ".default", ".old", ".orig", ".bak", ".in")


def extension_of(path: str) -> str:
    """The extension in lower case with its dot; "" for none. A name such as `.editorconfig` has none."""
    return posixpath.splitext(path)[1].lower()


@lru_cache(maxsize=20_000)
def _language_of_name(name: str) -> str:
    if name in LANGUAGE_BY_NAME:
        return LANGUAGE_BY_NAME[name]
    if _DOCKERFILE.search(name):
        return "dockerfile"
    if _DOTENV.search(name):
        return "dotenv"
    stem, extension = posixpath.splitext(name)
    if extension in _TRANSPARENT and stem:  # `appsettings.json.example` is JSON
        return _language_of_name(stem)
    if not extension and _RC_FILE.match(name):
        return "ini"
    return LANGUAGE_BY_EXTENSION.get(extension, "text")


def language_of(path: str) -> str:
    """The language of a file by its name; "text" when nothing better is known."""
    return _language_of_name(path.rpartition("/")[2].lower())


def language_of_shebang(first_line: str) -> str | None:
    """The language that a `#!` line names, or None."""
    if not first_line.startswith("#!"):
        return None
    words = first_line[2:].split()
    if not words:
        return None
    program = words[0].rpartition("/")[2]
    if program == "env":
        named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        program = named[0] if named else ""
    return LANGUAGE_BY_INTERPRETER.get(program) or LANGUAGE_BY_INTERPRETER.get(program.rstrip("0123456789."))


def is_binary_name(path: str) -> bool:
    """Whether the extension is that of a format which is never text."""
    return extension_of(path) in BINARY_EXTENSIONS


# -- tests ------------------------------------------------------------------------------------------------------------

_TEST_FOLDER = re.compile(
    r"""^(?:
        tests? | __tests?__ | testing | e2e | testdata | test[-_]?fixtures? | test[-_]?data
        | (?:unit|integration|functional|acceptance|e2e|end-?to-?end|smoke|ui|perf|load|system|regression|contract)
          [-_.]?tests?
        | .+[._-](?:unit|integration|functional|acceptance|e2e|smoke)?[._-]?(?:tests?|specs?)(?:[._-].+)?
        | cypress | playwright
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
_TEST_FOLDER_CAMEL = re.compile(r"[a-z0-9](?:Tests?|Specs?)(?:$|[.A-Z_-])|^(?:Tests?|Specs?)(?:[A-Z]|$)")
_TEST_FILE = re.compile(
    r"""(?:
        (?:^|/)test_[^/]+\.py$ | _tests?\.(?:py|go|rs|c|cc|cpp|exs|rb|dart|lua|php|zig|jl|ex|clj)$
        | (?:^|/)conftest\.py$
        | _spec\.(?:rb|lua|js|ts)$
        | [._-](?:test|tests|spec|e2e|cy)\.(?:[cm]?[jt]sx?|vue|svelte|ps1|razor|cs|fs|vb|kt|dart)$
        | (?:^|/)spec/.*\.(?:rb|cr)$ | \.bats$ | (?:^|[/_.-])unittests?[_.-]
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# Not for .NET: its tests stand in projects of their own, and of the five such names outside them here none was a test.
_TEST_FILE_CAMEL = re.compile(
    r"[a-z0-9_](?:Tests?|Specs?|TestCase|TestBase|TestFixture|TestSuite)"
    r"\.(?:java|kt|kts|scala|swift|php|groovy|m|mm|cpp|hs)$|^Tests?[A-Z]\w*\.(?:java|kt|hs|m)$"
)


@lru_cache(maxsize=20_000)
def _is_test_folder(name: str) -> bool:
    return bool(_TEST_FOLDER.match(name) or _TEST_FOLDER_CAMEL.search(name))


@lru_cache(maxsize=20_000)
def _is_below_test_folder(folder: str) -> bool:
    return any(map(_is_test_folder, folder.split("/")))


def is_test(path: str) -> bool:
    """Whether a file belongs to tests, by the names of its folders and its own."""
    folder, _, name = path.rpartition("/")
    if folder and _is_below_test_folder(folder):
        return True
    lower = path.lower()
    if not ("test" in lower or "spec" in lower or ".e2e." in lower or ".cy." in lower or lower.endswith(".bats")):
        return False  # the patterns below cost ten times as much
    return bool(_TEST_FILE.search(path) or _TEST_FILE_CAMEL.search(name))


# -- generated files --------------------------------------------------------------------------------------------------

_GENERATED_NAME = re.compile(
    r"""(?:
        \.(?:g|g\.i|designer|generated|pb|grpc\.pb|freezed)\.[a-z]+$ | [_.]generated\.[a-z]+$
        | \.gen\.(?:[cm]?[jt]sx?|go|cs|dart|rs|h|cc|cpp)$ | _pb2(?:_grpc)?\.pyi?$ | \.pb\.(?:gw|validate)\.go$
        | _grpc\.pb\.(?:go|dart)$ | ^zz_generated | modelsnapshot\.cs$ | .\.assembly(?:info|attributes)\.cs$
        | ^reference\.(?:cs|svcmap)$ | \.min\.(?:js|css|mjs)$ | \.(?:js|css)\.map$ | \.verified\.txt$ | \.snap$
        | ^(?:package-lock|npm-shrinkwrap|packages\.lock|project\.assets)\.json$ | ^pnpm-lock\.yaml$ | ^go\.sum$
        | ^(?:yarn|pnpm|bun|cargo|poetry|pdm|uv|composer|gemfile|pipfile|podfile|mix|flake|pubspec|deno|gradle)
          \.lock(?:b|\.json|file)?$ | ^package\.resolved$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_GENERATED_WORDS = tuple(
    "generated obj/ .nuget/ _pb2 modelsnapshot reference. lock go.sum shrinkwrap .snap package.".split()
)
_GENERATED_FOLDER = re.compile(r"(?:^|/)(?:obj|generated|__generated__|\.nuget|auto-?generated)/", re.IGNORECASE)
_GENERATED_HEAD = re.compile(
    r"<auto-?generated|code generated (?:by|from)|@generated\b|generated by the protocol buffer compiler"
    r"|(?:this|the) (?:source )?(?:file|code|class) (?:is|was|has been) (?:auto(?:matically)?[- ]?)?generated"
    r"|auto(?:matically)?[- ]generated (?:by|from|file|code)|do not edit|begin generated code",
    re.IGNORECASE,
)
_COMPILED_DOCS = re.compile(r"<doc>\s*<assembly>")  # documentation comments as the C# compiler writes them
_HEAD_CHARS = 1_500  # markers stand in the first comment
_NO_MARKERS = frozenset({"markdown", "text", "json", "restructuredtext", "asciidoc", "ignore", "t4"})
_TEMPLATES = (".hbs", ".mustache", ".ejs", ".erb", ".liquid", ".njk", ".j2", ".jinja", ".jinja2", ".tmpl", ".template")
_COMMENT_STARTS = tuple("// /* * # <!-- <? -- ; ' % {- (* <%-- @*".split()) + ('"""', "rem ", "@rem ")
_CODE_STARTS = ("#include", "#define", "#import", "#if")


def is_generated(path: str, head_of_text: str = "") -> bool:
    """Whether a file was made by a tool: by its name, its folder, or a marker in the comment that starts its text."""
    lower = path.lower()
    # A dot before the extension, or one of these words: two of three paths need no pattern, which halves a first scan.
    name = lower.rpartition("/")[2]
    if name.count(".") > 1 or any(word in lower for word in _GENERATED_WORDS):
        if _GENERATED_NAME.search(name) or _GENERATED_FOLDER.search(lower):
            return True
    return bool(head_of_text) and _has_marker(path, head_of_text[:_HEAD_CHARS])


def _has_marker(path: str, head: str) -> bool:
    head = head.lower()
    if "<assembly>" in head and _COMPILED_DOCS.search(head):
        return True
    if "generated" not in head and "do not edit" not in head:
        return False  # the pattern below costs twenty times as much
    if language_of(path) in _NO_MARKERS or path.lower().endswith(_TEMPLATES):
        return False
    found = _GENERATED_HEAD.search(head)
    if not found:
        return False
    # Only a comment before any code marks the file: a generator's own source holds markers too, as strings.
    end = head.find("\n", found.start())
    lines = [line.strip() for line in head[: end if end >= 0 else len(head)].split("\n")]
    in_block = False
    for line in lines:
        if line and not in_block and (not line.startswith(_COMMENT_STARTS) or line.startswith(_CODE_STARTS)):
            return False
        if line.startswith(("/*", "<!--", "{-", "(*", "<#", '"""', "@*", "<%--")):
            in_block = True
        if line.endswith(("*/", "-->", "-}", "*)", "#>", '"""', "*@", "--%>")) and len(line) > 2:
            in_block = False
    return True


# -- pairs ------------------------------------------------------------------------------------------------------------

_VIEW_SUFFIXES = (".razor", ".axaml", ".xaml", ".cshtml", ".aspx", ".ascx", ".master")
_COMPANIONS = (".cs", ".css", ".js", ".ts", ".scss", ".less", ".vb", ".designer.cs")


def pair_of(path: str, all_paths: Container[str]) -> tuple[str, ...]:
    """The other halves of a view and its code-behind, styles and script that exist, the most important first.

    For `X.razor` that is `X.razor.cs`, then `X.razor.css` ...; for each of those it is `X.razor`, then the others.
    """
    lower = path.lower()
    view = path if lower.endswith(_VIEW_SUFFIXES) else None
    if view is None:
        for suffix in _COMPANIONS:
            if lower.endswith(suffix) and lower[: -len(suffix)].endswith(_VIEW_SUFFIXES):
                view = path[: -len(suffix)]
                break
    if view is None:
        return ()
    family = (view, *(view + suffix for suffix in _COMPANIONS))
    return tuple(member for member in family if member != path and member in all_paths)
