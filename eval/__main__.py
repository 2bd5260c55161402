"""`python -m eval COMMAND ...`: one dispatcher; each command is a module with `main(arguments) -> exit code`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from eval.errors import EvalError
from hybrid_index.errors import HybridIndexError

COMMANDS = {
    "run": ("eval.running", "score question files: NDCG@10, hit@1/10, evidence at token budgets"),
    "compare": ("eval.compare", "two or more results or settings side by side, with significance and reasons"),
    "sweep": ("eval.sweep", "a grid of settings (alpha, beta, K, normalisation, ...)"),
    "ablate": ("eval.ablate", "each channel and each ranking signal switched off"),
    "fit": ("eval.fit", "choose among settings by folds of repositories; report only repositories not fitted on"),
    "report": ("eval.report", "one HTML or Markdown page with plots from saved results"),
    "init": ("eval.draft", "draft a question file for a workspace of your own"),
    "speed": ("eval.speed", "index time, refresh, update, query latency, size, memory, handshake; with a peer"),
    "symbols": ("eval.symbols", "score the symbol-exact tools against compiler facts"),
}


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {summary}" for name, (_, summary) in COMMANDS.items()]
    return "usage: python -m eval COMMAND ...   (COMMAND --help for its options)\n\n" + "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run one command; errors raised on purpose become one line and exit code 2."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_usage())
        return 0 if arguments else 2
    command, *rest = arguments
    if command not in COMMANDS:
        print(f"error: there is no command {command!r}.\n\n{_usage()}", file=sys.stderr)
        return 2
    try:
        return int(importlib.import_module(COMMANDS[command][0]).main(rest) or 0)
    except (EvalError, HybridIndexError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("eval", "hybrid_index"):
            raise
        print(f"error: {error.name} is not installed; run: pip install '.[eval]'", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
