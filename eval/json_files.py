"""Reading JSON that a user names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from eval.errors import EvalError


def read_json(file: Path) -> Any:
    """Load a JSON file.

    Raises:
        EvalError: the file cannot be read or is not JSON.
    """
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EvalError(f"{file} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise EvalError(f"{file} is not JSON: {error}.") from error
