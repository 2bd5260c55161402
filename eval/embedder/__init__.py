"""How the bundled embedding model is made and judged: sources, pairs, training, storage, scores.

Run in this order (each takes `--help`): `collect` (git snapshots -> pairs), `train` (pairs -> model folder), `validate`
(held-out training repositories), `score` (the question sets). Training needs torch; nothing of the product does.
"""
