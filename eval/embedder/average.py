"""Averages the tables of several runs from one start into one model.

python -m eval.embedder.average --out FOLDER FOLDER...
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from eval.embedder.model_folder import Floats, read_table, write_model


def average(tables: Sequence[Floats]) -> Floats:
    """Mean of the tables, each first scaled to rows of mean length one: a table's scale says nothing."""
    scaled = [table / np.mean(np.linalg.norm(table, axis=1)) for table in tables]
    return np.asarray(np.mean(scaled, axis=0), np.float32)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    write_model(average([read_table(folder) for folder in options.folders]), options.folders[0], options.out)


if __name__ == "__main__":
    main()
