"""The judge: question sets, measures, comparisons, plots and speed, over the public names of `hybrid_index` only.

It stands outside the package so that what is judged can never import its judge. `python -m eval --help` lists the
commands; `docs/how-to/evaluate-your-repository.md` shows them on a repository of your own.
"""
