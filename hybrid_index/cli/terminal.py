"""Output for people at a terminal: highlighted snippets, a progress bar. Imported only when there is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hybrid_index import rendering
from hybrid_index.service import replies

if TYPE_CHECKING:
    from rich.console import Console

    from hybrid_index.service.service import Progress

# File kinds that pygments does not know by their name.
_LEXERS = {"razor": "html", "cshtml": "html", "axaml": "xml", "xaml": "xml", "msbuild": "xml"}
_STAGES = {"scan": "Looking for files", "index": "Indexing", "finish": "Finishing"}
_LOCATION = r"(?m)^(?:\d+\. )?[^\s:]+:\d+(?:[-:]\d+)?"


def show_styled(reply: replies.Reply) -> None:
    """Print a reply with colours."""
    from rich.console import Console

    console = Console(highlight=False)
    match reply:
        case replies.SearchReply():
            _show_hits(console, reply)
        case replies.SourceReply():
            _show_blocks(console, reply)
        case _:
            _print(console, rendering.full(reply))
            return
    for note in rendering.notes(reply):
        _print(console, note, "yellow")


def _show_hits(console: Console, reply: replies.SearchReply) -> None:
    _print(console, reply.summary, "dim")
    for hit in reply.hits:
        _print(console, f"\n{rendering.hit_line(hit)}", "bold")
        if hit.snippet:
            _show_code(console, hit.snippet, hit.snippet_start_line, hit.path, hit.language)


def _show_blocks(console: Console, reply: replies.SourceReply) -> None:
    for block in reply.blocks:
        _print(console, f"\n{rendering.block_line(block)}", "bold")
        _show_code(console, block.text, block.start_line, block.path, block.language)
    for failure in reply.failed:
        _print(console, f"not shown: {failure.target}: {failure.reason}", "yellow")


def _show_code(console: Console, text: str, first_line: int, path: str, language: str) -> None:
    from rich.syntax import Syntax

    lexer = _LEXERS.get(language) or Syntax.guess_lexer(path)
    code = Syntax(
        rendering.printable(text),
        lexer,
        line_numbers=True,
        start_line=first_line,
        theme="ansi_dark",
        background_color="default",
    )
    console.print(code)


def _print(console: Console, text: str, style: str = "") -> None:
    from rich.text import Text

    line = Text(rendering.printable(text), style=style)
    line.highlight_regex(_LOCATION, "cyan")
    console.print(line, soft_wrap=True)


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """Show how far an indexing run is, on standard error and only if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(stage: str, done: int, total: int) -> None:
            bar.update(task, description=_STAGES.get(stage, stage), completed=done, total=total or None)

        yield show
