"""Judge of symbol-exact answers against a compiler's.

`python -m eval symbols TRUTH_DIR... --corpora DIR [--json OUT]`. A truth folder holds gzipped JSON lines (declarations,
references, edges, calls, unresolved, disabled), made by a compiler for one repository; the repository's tree lies in
`<corpora>/<name of the truth folder>`. Symbols are matched through their declarations (path, line, kind, name), so that
no form of id is favoured.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hybrid_index.graph import BindingContext, ProjectFacts, SymbolKey, WorkspaceBinding, bind_workspace
from hybrid_index.languages.csharp.lowering import SHIFT
from hybrid_index.projects import ProjectModel, load_projects

# Reported apart, by the scoring rules.
IMPLICIT_KINDS = frozenset(["constructor", "indexer", "operator", "conversion", "destructor"])
# The compiler facts count columns from 0, lines from 1; answers count both from 1.
COLUMN_BASE = 1
_BUILD_FOLDERS = frozenset(["bin", "obj", ".git", "node_modules"])


def add_parser(commands: Any) -> None:
    """Add the `symbols` command to an argparse sub-parser group."""
    parser = commands.add_parser("symbols", help="symbol-exact answers against a compiler's")
    _arguments(parser)
    parser.set_defaults(run=run)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("truth", nargs="+", type=Path, help="folders of compiler truth, one per repository")
    parser.add_argument("--corpora", required=True, type=Path, help="folder with the repositories' trees")
    parser.add_argument("--json", type=Path, help="write the rows here")
    parser.add_argument("--show", type=int, default=0, help="list up to this many wrong and missed references")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the judge from a command line."""
    parser = argparse.ArgumentParser(prog="python -m eval symbols", description=__doc__)
    _arguments(parser)
    return run(parser.parse_args(argv))


def run(options: argparse.Namespace) -> int:
    """Judge each truth folder, print a table and write the JSON."""
    rows = []
    for truth in options.truth:
        row = judge(truth, options.corpora / truth.name, options.show)
        rows.append(row)
        print(json.dumps(row))
    if options.json is not None:
        options.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a gzipped JSON-lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def corpus_files(root: Path) -> list[str]:
    """Workspace-relative paths of a tree, build folders left out."""
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and not _BUILD_FOLDERS.intersection(path.relative_to(root).parts)
    )


def context_of(model: ProjectModel, paths: Iterable[str]) -> BindingContext:
    """Projects as the binder wants them."""
    files: dict[str, list[str]] = defaultdict(list)
    for path, names in model.assignments(p for p in paths if p.endswith(".cs")).items():
        for name in names:
            files[name].append(path)
    projects = {}
    for project in model.projects:
        usings = tuple(_using_text(using) for using in project.global_usings)
        defines = frozenset(project.defines_for(project.newest_framework))
        references = tuple(r.name for r in project.project_references if r.name and r.reference_output_assembly)
        projects[project.name] = ProjectFacts(tuple(files.get(project.name, ())), references, usings, defines)
    return BindingContext(projects)


def _using_text(using: Any) -> str:
    if using.alias:
        return f"{using.alias}={using.namespace}"
    return f"static {using.namespace}" if using.is_static else str(using.namespace)


def judge(truth: Path, root: Path, show: int = 0) -> dict[str, Any]:
    """Score one repository."""
    paths = corpus_files(root)
    context = context_of(load_projects(root, paths), paths)
    started = time.perf_counter()
    sources = {path: (root / path).read_bytes() for path in paths if path.endswith(".cs")}
    bound = bind_workspace(sources, context)
    seconds = time.perf_counter() - started
    return Scorer(truth, bound).row(truth.name, seconds, show)


class Scorer:
    """Compares a bound workspace with the truth of its repository."""

    def __init__(self, truth: Path, bound: WorkspaceBinding) -> None:
        self.bound = bound
        self.declarations = read_lines(truth / "declarations.jsonl.gz")
        self.references = read_lines(truth / "references.jsonl.gz")
        self.edges = read_lines(truth / "edges.jsonl.gz")
        self.calls = read_lines(truth / "calls.jsonl.gz")
        self.skipped = {
            (u["path"], u["line"], u["column"] + COLUMN_BASE) for u in read_lines(truth / "unresolved.jsonl.gz")
        }
        self.disabled: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for row in read_lines(truth / "disabled.jsonl.gz"):
            self.disabled[row["path"]].append((row["start_line"], row["end_line"]))
        by_place: dict[tuple[str, int, str, str], set[str]] = defaultdict(set)
        columns: dict[tuple[str, int, str, str], list[tuple[int, str]]] = defaultdict(list)
        self.kinds: dict[str, str] = {}
        for row in self.declarations:
            place = (row["path"], row["name_line"], row["kind"], row["name"])
            by_place[place].add(row["doc_comment_id"])
            columns[place].append((row["name_col"] + COLUMN_BASE, row["doc_comment_id"]))
            self.kinds[row["doc_comment_id"]] = row["kind"]
        self.ids: dict[SymbolKey, str] = {}
        found = set()
        for path, facts in bound.facts.items():
            for decl in facts.declarations:
                name = "this" if decl.kind == "indexer" else decl.name
                place = (path, decl.pos >> SHIFT, decl.kind, name)
                if place not in by_place:
                    continue
                found.add(place)
                column = decl.pos & ((1 << SHIFT) - 1)
                self.ids[path, decl.doc_id] = min(columns[place], key=lambda c: abs(c[0] - column))[1]
        self.recall = len(found) / max(1, len(by_place))
        self.files = {row["path"] for row in self.declarations}

    def _off(self, path: str, line: int, column: int) -> bool:
        if (path, line, column) in self.skipped:
            return True
        return any(start <= line <= end for start, end in self.disabled.get(path, ()))

    def row(self, repo: str, seconds: float, show: int) -> dict[str, Any]:  # noqa: C901 - one short case per form
        """All scores of the repository."""
        truth: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
        special: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
        excluded: set[tuple[str, int, int]] = set()
        known_files = set(self.bound.facts)
        for row in self.references:
            symbol = row["doc_comment_id"]
            for path, line, zero_column, flag, *_ in row["refs"]:
                column = zero_column + COLUMN_BASE
                if flag in ("c", "d"):
                    excluded.add((path, line, column))
        for row in self.references:
            symbol = row["doc_comment_id"]
            for path, line, zero_column, flag, *_ in row["refs"]:
                at = (path, line, zero_column + COLUMN_BASE)
                if path not in known_files or at in excluded or self._off(*at):
                    continue
                if row["kind"] in IMPLICIT_KINDS or flag in ("i", "k"):
                    if flag in ("i", "k") and row["kind"] in IMPLICIT_KINDS:
                        special[symbol].add(at)
                elif flag in ("r", "a", "o"):
                    truth[symbol].add(at)
        claims: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
        special_claims: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
        for path, references in self.bound.references.items():
            if path not in self.files:
                continue
            for ref in references:
                symbol = self.ids.get(ref.target)
                at = (path, ref.line, ref.column)
                if symbol is None or ref.kind == "cref" or at in excluded or self._off(*at):
                    continue
                if self.kinds[symbol] in IMPLICIT_KINDS:
                    special_claims[symbol].add(at)
                elif not ref.implicit:
                    claims[symbol].add(at)
        if show:
            self._show(truth, claims, show)
        return {
            "repo": repo,
            "declarations": {"recall": self.recall},
            "references": self._reference_scores(truth, claims),
            "edges": self._edge_scores(show),
            "calls": self._call_scores(show),
            "implicit": _micro(special, special_claims),
            "seconds": seconds,
        }

    def _reference_scores(self, truth: dict[str, Any], claims: dict[str, Any]) -> dict[str, float]:
        scores = _micro(truth, claims)
        identical = [symbol for symbol, places in truth.items() if claims.get(symbol, set()) == places]
        candidates = [s for s, kind in self.kinds.items() if kind not in IMPLICIT_KINDS and s not in truth]
        mentioned = {row["doc_comment_id"] for row in self.references}
        unreferenced = [symbol for symbol in candidates if symbol not in mentioned]
        false = [symbol for symbol in unreferenced if claims.get(symbol)]
        macro = [_f1(truth[s], claims.get(s, set())) for s in truth]
        return {
            **scores,
            "exact": len(identical) / max(1, len(truth)),
            "false_on_unreferenced": len(false) / max(1, len(unreferenced)),
            "macro_f1": sum(macro) / max(1, len(macro)),
        }

    def _edge_id(self, end: Any) -> str | None:
        """The compiler's id for an end of an edge; members that records synthesise have no declaration."""
        if not isinstance(end, tuple):
            return None
        if len(end) == 3:
            owner = self.ids.get(end[:2])
            return f"P:{owner[2:]}.{end[2]}" if owner is not None else None
        return self.ids.get(end)

    def _unbound_types(self) -> list[str]:
        """Types with a base that the compiler could not bind: what their members implement is not known to it."""
        return [row["from"][2:] for row in self.edges if row["to"].startswith("!:")]

    def _edge_scores(self, show: int) -> dict[str, float]:
        named = {"override": "overrides", "implements": "implements", "base": "base", "interface": "interface"}
        truth = {
            (row["from"], named.get(row["edge"], row["edge"]), row["to"]) for row in self.edges if row["in_source"]
        }
        claims = set()
        for source, kind, target in self.bound.edges:
            a = self._edge_id(source)
            b = self._edge_id(target)
            if a is not None and b is not None:
                claims.add((a, kind, b))
        unbound = {owner for owner in self._unbound_types()}
        claims = {c for c in claims if c in truth or not _inside(c[0], unbound)}
        if show:
            for edge in sorted(truth - claims)[:show]:
                print("missed edge", edge)
            for edge in sorted(claims - truth)[:show]:
                print("wrong edge", edge)
        right = len(truth & claims)
        return {"precision": right / max(1, len(claims)), "recall": right / max(1, len(truth))}

    def _call_scores(self, show: int) -> dict[str, float]:
        truth = {
            (row["caller"], row["callee"])
            for row in self.calls
            if row["kind"] in ("call", "new", "ctor_init", "operator")
        }
        vague = {(row["caller"], row["callee"]) for row in self.calls} - truth
        claims = set()
        for path, calls in self.bound.calls.items():
            if path not in self.files:
                continue
            for caller, callee, kind, _ in calls:
                a, b = self.ids.get((path, caller)), self.ids.get(callee)
                if a is not None and b is not None and kind != "method_group":
                    claims.add((a, b))
        claims -= vague
        uncertain = self._uncertain_members()
        claims = {claim for claim in claims if claim in truth or claim[0] not in uncertain}
        truth_here = truth
        if show:
            for edge in sorted(truth_here - claims)[:show]:
                print("missed call", edge)
            for edge in sorted(claims - truth_here)[:show]:
                print("wrong call", edge)
        right = len(truth_here & claims)
        return {"precision": right / max(1, len(claims)), "recall": right / max(1, len(truth_here))}

    def _uncertain_members(self) -> set[str]:
        """Members in which the compiler left a position unbound: calls there cannot be judged."""
        lines: dict[str, list[int]] = defaultdict(list)
        for path, line, _ in self.skipped:
            lines[path].append(line)
        for row in self.references:
            for path, line, _, flag, *_ in row["refs"]:
                if flag == "c":
                    lines[path].append(line)
        out = set()
        for row in self.declarations:
            if any(row["start_line"] <= line <= row["end_line"] for line in lines.get(row["path"], ())):
                out.add(row["doc_comment_id"])
        return out

    def _show(self, truth: dict[str, Any], claims: dict[str, Any], count: int) -> None:
        missed = [(at, s) for s, places in truth.items() for at in places - claims.get(s, set())]
        wrong = [(at, s) for s, places in claims.items() for at in places - truth.get(s, set())]
        for label, rows in (("missed", missed), ("wrong", wrong)):
            print(label, len(rows), Counter(self.kinds[s] for _, s in rows).most_common())
            step = max(1, len(rows) // count)
            for at, symbol in sorted(rows)[::step][:count]:
                print("  ", label, ":".join(map(str, at)), symbol)


def _micro(truth: dict[str, Any], claims: dict[str, Any]) -> dict[str, float]:
    right = sum(len(places & truth.get(symbol, set())) for symbol, places in claims.items())
    claimed = sum(len(places) for places in claims.values())
    wanted = sum(len(places) for places in truth.values())
    return {"precision": right / max(1, claimed), "recall": right / max(1, wanted)}


def _inside(symbol: str, owners: set[str]) -> bool:
    """Whether a symbol is one of the types, or a member of one."""
    name = symbol[2:].partition("(")[0]
    return name in owners or name.rpartition(".")[0] in owners


def _f1(truth: set[Any], claims: set[Any]) -> float:
    right = len(truth & claims)
    return 2 * right / max(1, len(truth) + len(claims))


if __name__ == "__main__":
    raise SystemExit(main())
