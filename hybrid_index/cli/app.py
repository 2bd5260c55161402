"""Entry point of `hybrid-index`: options before the command, and the one place where errors become exit codes.

Heavy packages are imported by the commands that need them, so that help and completion answer at once.
"""

from __future__ import annotations

import io
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hybrid_index.cli import commands
from hybrid_index.cli.session import Invocation, parse_assignments
from hybrid_index.errors import Cancelled, HybridIndexError, UsageError

FOUND, NOTHING_FOUND, USAGE, TROUBLE, UNEXPECTED, CANCELLED = 0, 1, 2, 3, 4, 130

_EPILOG = (
    "Exit codes: 0 found or done, 1 nothing found, 2 the request or a setting was wrong, 3 the index or a model cannot "
    "be used, 4 an unexpected error, 130 cancelled. The options above may also stand after the command. "
    "The MCP tools' names work as commands too, written with '-': search-text, find-file, config-lookup, ..."
)
# These belong before the command; people write them anywhere.
_ANYWHERE_WITH_VALUE = ("--root", "--set", "--index-root")
_ANYWHERE = ("--debug", "--allow-any-root")

app = typer.Typer(
    name="hybrid-index",
    help="Find the right span of a code base: keyword and vector search, exact text, files and configuration keys.",
    epilog=_EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,  # importing rich for help would double the time it takes
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
commands.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"hybrid-index {version('hybrid-index')}")
        raise typer.Exit


@app.callback()
def _options(
    ctx: typer.Context,
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Workspace; default: the nearest folder upward with .hybrid-index or .git."),
    ] = None,
    assignments: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a setting, e.g. fusion.alpha=0.5; repeatable."),
    ] = None,
    index_root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the index is kept; short for --set index.dir=DIR.")
    ] = None,
    allow_any_root: Annotated[
        bool, typer.Option("--allow-any-root", help="Index even /, a home directory or a drive root.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    overrides = parse_assignments(assignments or ())
    if index_root is not None:
        overrides["index.dir"] = str(index_root.absolute())
    ctx.obj = Invocation(root=root, overrides=overrides, allow_any_root=allow_any_root)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _speak_utf8()
    try:
        result = app(args=_global_options_first(given), prog_name="hybrid-index", standalone_mode=False)
        return result if isinstance(result, int) else FOUND
    except (KeyboardInterrupt, typer.Abort, Cancelled):
        return _fail("cancelled", CANCELLED)
    except Exception as error:
        if "--debug" in given:
            traceback.print_exc()
        return _exit_code(error)


def _exit_code(error: Exception) -> int:
    if isinstance(error, HybridIndexError):
        return _fail(str(error), USAGE if isinstance(error, UsageError) else TROUBLE)
    show = getattr(error, "show", None)  # typer keeps the class of its usage errors to itself
    if callable(show):
        show()
        return USAGE
    if isinstance(error, ValueError):
        from pydantic import ValidationError

        if isinstance(error, ValidationError):
            problems = (f"{'.'.join(map(str, part['loc']))}: {part['msg']}" for part in error.errors())
            return _fail("; ".join(problems), USAGE)
    return _fail(f"unexpected {type(error).__name__}: {error}. Run again with --debug for the traceback.", UNEXPECTED)


def _fail(message: str, code: int) -> int:
    print(f"hybrid-index: {message}", file=sys.stderr)  # noqa: T201
    return code


def _global_options_first(arguments: list[str]) -> list[str]:
    """Move the options that belong before the command to the front, up to a `--`."""
    moved: list[str] = []
    rest: list[str] = []
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        if argument == "--":
            rest += arguments[position:]
            break
        takes_value = argument in _ANYWHERE_WITH_VALUE
        if (
            takes_value
            or argument in _ANYWHERE
            or argument.startswith(tuple(f"{name}=" for name in _ANYWHERE_WITH_VALUE))
        ):
            moved += arguments[position : position + 1 + takes_value]
        else:
            rest.append(argument)
        position += 1 + takes_value
    return moved + rest


def _speak_utf8() -> None:
    """Write UTF-8 also where a pipe would get a legacy code page, and never fail on a name that is not text."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
