"""The commands: parse, call the service, show the reply, say with the exit code whether anything was found."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from hybrid_index.cli import session
from hybrid_index.cli.serving import mcp
from hybrid_index.cli.session import Invocation

Json = Annotated[bool, typer.Option("--json", help="Print the typed reply, the same as the MCP tool's.")]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", min=100, help="Largest reply, in tokens of 4 characters.")
]
Paths = Annotated[
    list[str] | None,
    typer.Option(
        "--path", metavar="GLOB", help="Only paths that match, e.g. 'src/**/*.cs'; !GLOB excludes. Repeatable."
    ),
]
Languages = Annotated[
    list[str] | None, typer.Option("--lang", "--language", help="Only these languages, e.g. csharp. Repeatable.")
]
Extensions = Annotated[
    list[str] | None, typer.Option("--ext", "--extension", help="Only these extensions, e.g. .cs. Repeatable.")
]
Projects = Annotated[list[str] | None, typer.Option("--project", help="Only these projects or folders. Repeatable.")]
Cursor = Annotated[str | None, typer.Option("--cursor", help="Continue after the previous page.")]
TopN = Annotated[int | None, typer.Option("--top-n", "-n", min=1, max=200, help="How many results.")]


class Inclusion(StrEnum):
    """Whether a kind of file takes part."""

    INCLUDE = "include"
    EXCLUDE = "exclude"
    ONLY = "only"


class Ranking(StrEnum):
    """What comes first where the scores leave a choice."""

    BALANCED = "balanced"
    DOCS_FIRST = "docs_first"
    CODE_FIRST = "code_first"


Tests = Annotated[Inclusion, typer.Option("--tests", help="Test files.")]
Generated = Annotated[Inclusion, typer.Option("--generated", help="Generated files.")]


def index(
    ctx: typer.Context,
    directory: Annotated[Path | None, typer.Argument(metavar="DIR", help="Workspace; the same as --root DIR.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Rebuild everything.")] = False,
    as_json: Json = False,
) -> int:
    """Build the index, or bring it up to date."""
    invocation: Invocation = ctx.obj
    if directory is not None:
        invocation = Invocation(directory, invocation.overrides, invocation.allow_any_root)
    with invocation.opened() as opened:
        session.show(session.reindex(opened, full), as_json)
    return 0


def search(
    ctx: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="A question or words; path:, lang: filter.")],
    top_n: TopN = None,
    paths: Paths = None,
    languages: Languages = None,
    extensions: Extensions = None,
    projects: Projects = None,
    tests: Tests = Inclusion.INCLUDE,
    generated: Generated = Inclusion.INCLUDE,
    alpha: Annotated[float | None, typer.Option(min=0, help="Weight of the keyword channel.")] = None,
    beta: Annotated[float | None, typer.Option(min=0, help="Weight of the vector channel.")] = None,
    no_signals: Annotated[bool, typer.Option("--no-signals", help="Rank by the two channels alone.")] = False,
    ranking: Annotated[Ranking | None, typer.Option(help="Prefer documentation or code.")] = None,
    snippet_lines: Annotated[int | None, typer.Option(min=0, max=400, help="Lines of each snippet.")] = None,
    cursor: Cursor = None,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> int:
    """Rank spans of all text for a question. Indexes first where there is no index."""
    from hybrid_index.service.requests import SearchRequest

    request = SearchRequest(
        query=" ".join(query),
        top_n=top_n,
        alpha=alpha,
        beta=beta,
        signals=False if no_signals else None,
        ranking=ranking.value if ranking else None,
        snippet_lines=snippet_lines,
        cursor=cursor,
        max_tokens=max_tokens,
        **_filters(paths, languages, extensions, projects, tests, generated),
    )
    with ctx.obj.indexed() as opened:
        reply = opened.search(request)
    session.show(reply, as_json)
    return 0 if reply.hits else 1


def explain(
    ctx: typer.Context,
    chunk_id: Annotated[str, typer.Argument(metavar="CHUNK_ID", help="path:start-end of a hit.")],
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="The query that found it.")],
    paths: Paths = None,
    languages: Languages = None,
    extensions: Extensions = None,
    projects: Projects = None,
    tests: Tests = Inclusion.INCLUDE,
    generated: Generated = Inclusion.INCLUDE,
    alpha: Annotated[float | None, typer.Option(min=0, help="Weight of the keyword channel.")] = None,
    beta: Annotated[float | None, typer.Option(min=0, help="Weight of the vector channel.")] = None,
    no_signals: Annotated[bool, typer.Option("--no-signals", help="Rank by the two channels alone.")] = False,
    ranking: Annotated[Ranking | None, typer.Option(help="Prefer documentation or code.")] = None,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> int:
    """Say why a chunk has its rank: both channels, every contribution, the matched terms."""
    from hybrid_index.service.requests import ExplainRequest

    request = ExplainRequest(
        chunk_id=chunk_id,
        query=" ".join(query),
        alpha=alpha,
        beta=beta,
        signals=False if no_signals else None,
        ranking=ranking.value if ranking else None,
        max_tokens=max_tokens,
        **_filters(paths, languages, extensions, projects, tests, generated),
    )
    with ctx.obj.indexed() as opened:
        reply = opened.explain_hit(request)
    session.show(reply, as_json)
    return 0 if reply.found else 1


def text(
    ctx: typer.Context,
    pattern: Annotated[str, typer.Argument(help="An exact string, or a regular expression with --regex.")],
    regex: Annotated[bool, typer.Option("--regex", "-e", help="PATTERN is a regular expression.")] = False,
    ignore_case: Annotated[
        bool, typer.Option("--ignore-case", "-i", help="Upper and lower case are the same.")
    ] = False,
    whole_word: Annotated[bool, typer.Option("--word", "-w", help="Match whole words only.")] = False,
    context_lines: Annotated[int, typer.Option("--context", "-C", min=0, max=20, help="Lines around each match.")] = 0,
    top_n: Annotated[int, typer.Option("--top-n", "-n", min=1, max=1000, help="How many matches.")] = 50,
    paths: Paths = None,
    languages: Languages = None,
    extensions: Extensions = None,
    projects: Projects = None,
    tests: Tests = Inclusion.INCLUDE,
    generated: Generated = Inclusion.INCLUDE,
    cursor: Cursor = None,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> int:
    """Find an exact string or pattern in the files as they are now."""
    from hybrid_index.service.requests import TextRequest

    request = TextRequest(
        pattern=pattern,
        regex=regex,
        ignore_case=ignore_case,
        whole_word=whole_word,
        context_lines=context_lines,
        top_n=top_n,
        cursor=cursor,
        max_tokens=max_tokens,
        **_filters(paths, languages, extensions, projects, tests, generated),
    )
    with ctx.obj.indexed() as opened:
        reply = opened.search_text(request)
    session.show(reply, as_json)
    return 0 if reply.matches else 1


def find(
    ctx: typer.Context,
    pattern: Annotated[str, typer.Argument(help="A file name, a fragment of a path, or a glob.")],
    top_n: Annotated[int, typer.Option("--top-n", "-n", min=1, max=500, help="How many files.")] = 20,
    paths: Paths = None,
    languages: Languages = None,
    extensions: Extensions = None,
    projects: Projects = None,
    tests: Tests = Inclusion.INCLUDE,
    generated: Generated = Inclusion.INCLUDE,
    cursor: Cursor = None,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> int:
    """Find files by name or path."""
    from hybrid_index.service.requests import FindFileRequest

    request = FindFileRequest(
        pattern=pattern,
        top_n=top_n,
        cursor=cursor,
        max_tokens=max_tokens,
        **_filters(paths, languages, extensions, projects, tests, generated),
    )
    with ctx.obj.indexed() as opened:
        reply = opened.find_file(request)
    session.show(reply, as_json)
    return 0 if reply.files else 1


def config(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(help="A key or path of keys: ConnectionStrings:Default, TargetFramework.")],
    top_n: Annotated[int, typer.Option("--top-n", "-n", min=1, max=500, help="How many places.")] = 50,
    paths: Paths = None,
    languages: Languages = None,
    extensions: Extensions = None,
    projects: Projects = None,
    tests: Tests = Inclusion.INCLUDE,
    generated: Generated = Inclusion.INCLUDE,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> int:
    """Find where a configuration key is set, with which value, and who reads it. Secret values are masked."""
    from hybrid_index.service.requests import ConfigRequest

    request = ConfigRequest(
        key=key,
        top_n=top_n,
        max_tokens=max_tokens,
        **_filters(paths, languages, extensions, projects, tests, generated),
    )
    with ctx.obj.indexed() as opened:
        reply = opened.config_lookup(request)
    session.show(reply, as_json)
    return 0 if reply.values or reply.used_in else 1


def show(
    ctx: typer.Context,
    targets: Annotated[list[str], typer.Argument(metavar="TARGET", help="Chunk ids, or path[:start[-end]].")],
    before: Annotated[int, typer.Option("--before", "-B", min=0, max=500, help="Lines added before each.")] = 0,
    after: Annotated[int, typer.Option("--after", "-A", min=0, max=500, help="Lines added after each.")] = 0,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> int:
    """Print spans of files as they are now."""
    from hybrid_index.service.requests import SourceRequest

    request = SourceRequest(targets=targets, before=before, after=after, max_tokens=max_tokens)
    with ctx.obj.indexed() as opened:
        reply = opened.source_context(request)
    session.show(reply, as_json)
    return 0 if reply.blocks else 1


def status(
    ctx: typer.Context,
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="The same as --explain PATH.")] = None,
    explained: Annotated[
        list[str] | None, typer.Option("--explain", metavar="PATH", help="Say why a path is or is not indexed.")
    ] = None,
    max_tokens: MaxTokens = None,
    as_json: Json = False,
) -> int:
    """Describe the index: how fresh it is, what is in it, what was left out and why."""
    from hybrid_index.service.requests import StatusRequest

    request = StatusRequest(explain_paths=[*(explained or ()), *(paths or ())], max_tokens=max_tokens)
    with ctx.obj.opened() as opened:
        session.show(opened.index_status(request), as_json)
    return 0


def watch(ctx: typer.Context, as_json: Json = False) -> int:
    """Keep the index fresh until Ctrl-C. With --json, one line for each change."""
    from hybrid_index.service.requests import WatchRequest

    with ctx.obj.opened() as opened:
        session.reindex(opened)
        started = opened.watch(WatchRequest())
        session.say(f"{started.summary} Ctrl-C stops.")
        version = started.index.version
        if as_json:
            session.write(f"{started.model_dump_json()}\n")
        while True:
            time.sleep(1.0)
            now = opened.index_status()
            if now.index.version != version:
                version = now.index.version
                line = now.index.model_dump_json() if as_json else f"{now.last_indexed}  {now.summary}"
                session.write(f"{line}\n")


def settings(
    ctx: typer.Context,
    keys: Annotated[list[str] | None, typer.Argument(metavar="KEY", help="Sections or keys; default: all.")] = None,
    example: Annotated[bool, typer.Option("--example", help="Print settings.example.toml.")] = False,
    as_json: Json = False,
) -> int:
    """Print the effective settings and which layer set each."""
    if example:
        from hybrid_index.settings.example import example_toml

        session.write(example_toml())
        return 0
    from hybrid_index.service.replies import SettingValue
    from hybrid_index.settings import user_settings_path, workspace_settings_path

    rows = [
        SettingValue(key=row.key, value=row.value, source=row.source, description=row.description)
        for row in ctx.obj.settings().sources()
        if not keys or any(row.key == key or row.key.startswith(f"{key}.") for key in keys)
    ]
    if as_json:
        import json

        session.write(f"{json.dumps([row.model_dump() for row in rows], indent=2)}\n")
    else:
        session.say(
            f"user file       {user_settings_path()}\nworkspace file  {workspace_settings_path(ctx.obj.workspace())}"
        )
        lines = (f"{row.key} = {row.value}{'' if row.source == 'default' else f'  # {row.source}'}" for row in rows)
        session.write("".join(f"{line}\n" for line in lines))
    return 0 if rows else 1


def capabilities(ctx: typer.Context, as_json: Json = False) -> int:
    """List tools, languages, channels, limits and changed settings."""
    with ctx.obj.opened() as opened:
        session.show(opened.server_capabilities(), as_json)
    return 0


COMMANDS: tuple[Callable[..., int], ...] = (
    index,
    search,
    explain,
    text,
    find,
    config,
    show,
    status,
    watch,
    mcp,
    settings,
    capabilities,
)

# The MCP tools' names, for those who know them; hidden, so that help lists each command once.
ALIASES: dict[str, Callable[..., int]] = {
    "reindex": index,
    "explain-hit": explain,
    "search-text": text,
    "find-file": find,
    "config-lookup": config,
    "source-context": show,
    "index-status": status,
    "server-capabilities": capabilities,
}


def register(app: typer.Typer) -> None:
    """Add all commands and their hidden second names."""
    for command in COMMANDS:
        app.command(command.__name__)(command)
    for name, command in ALIASES.items():
        app.command(name, hidden=True)(command)


def _filters(
    paths: list[str] | None,
    languages: list[str] | None,
    extensions: list[str] | None,
    projects: list[str] | None,
    tests: Inclusion,
    generated: Inclusion,
) -> dict[str, Any]:
    return {
        "paths": paths or [],
        "languages": languages or [],
        "extensions": extensions or [],
        "projects": projects or [],
        "tests": tests.value,
        "generated": generated.value,
    }
