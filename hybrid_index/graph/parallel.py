"""Bind a large workspace in worker processes: extraction first, then binding, both spread over the files.

Workers are spawned, receive plain bytes, and keep one model each; bodies travel compressed, so that the memory of the
parent stays near that of the facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from hybrid_index.graph.model import BindingContext, Model
from hybrid_index.graph.workspace import Binder, Bindings, WorkspaceBinding, defines_of, owners
from hybrid_index.languages.csharp.facts import FileBodies, FileFacts, extract

# A few files a message keep both workers busy until the end and the messages few.
_BATCH = 16


def bind_in_processes(
    sources: Mapping[str, bytes], context: BindingContext | None = None, workers: int = 2
) -> WorkspaceBinding:
    """`bind_workspace` spread over `workers` spawned processes; the result is the same."""
    context = context or BindingContext()
    projects = owners(context)
    spawn = get_context("spawn")
    jobs = [(path, source, defines_of(context, projects, path)) for path, source in sources.items()]
    with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        extracted = list(pool.map(_extract, jobs, chunksize=_BATCH))
    facts_bytes = [facts for facts, _ in extracted]
    bound = WorkspaceBinding({facts.path: facts for facts in map(FileFacts.from_bytes, facts_bytes)})
    with ProcessPoolExecutor(workers, spawn, _start, (facts_bytes, context)) as pool:
        results = pool.map(
            _bind, [(job[0], bodies) for job, (_, bodies) in zip(jobs, extracted, strict=True)], chunksize=_BATCH
        )
        bound.edges = Binder(Model(bound.facts, context)).edges()
        for (path, _, _), result in zip(jobs, results, strict=True):
            bound.references[path], bound.possible[path], bound.calls[path] = result
    return bound


def _extract(job: tuple[str, bytes, frozenset[str] | None]) -> tuple[bytes, bytes]:
    path, source, defines = job
    facts, bodies = extract(source, path, defines)
    return facts.to_bytes(), bodies.to_bytes()


_binder: Binder | None = None  # one per worker process, set when it starts


def _start(facts: list[bytes], context: BindingContext) -> None:
    global _binder
    _binder = Binder(Model({f.path: f for f in map(FileFacts.from_bytes, facts)}, context))


def _bind(job: tuple[str, bytes]) -> Bindings:
    if _binder is None:
        raise RuntimeError("The worker was not started with facts.")
    return _binder.bind_file(job[0], FileBodies.from_bytes(job[1]))
