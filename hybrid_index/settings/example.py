"""`settings.example.toml`: every setting with its default and one line of reason."""

from __future__ import annotations

import tomli_w

from hybrid_index.settings.settings import Settings

_HEAD = """\
# Every setting of Hybrid Index with its default.
# Generated: run `python -m hybrid_index.settings > settings.example.toml`.
#
# Copy only what you change, into your own file (see `hybrid-index settings` for its place) or, for what a repository
# may decide, into <workspace>/.hybrid-index/settings.toml. Stronger than both, in this order: the environment
# (HYBRID_INDEX_FUSION__ALPHA=0.5) and the command line (--set fusion.alpha=0.5). A list whose items all start with
# + or - edits the list below it instead of replacing it: exclude_segments = ["+generated", "-packages"].
"""


def example_toml() -> str:
    """Return the text of `settings.example.toml`."""
    defaults = Settings()
    lines = [_HEAD]
    section = ""
    for key, info in Settings.keys().items():
        table, _, name = key.partition(".")
        if table != section:
            field = getattr(defaults, table)
            lines.append(f"\n# {type(field).__doc__}\n[{table}]\n")
            section = table
        value = defaults.value(key)
        setting = tomli_w.dumps({name: list(value) if isinstance(value, tuple) else value})
        lines.append(f"# {info.description}\n{setting}")
    return "".join(lines)
