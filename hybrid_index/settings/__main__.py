"""`python -m hybrid_index.settings` prints the text of settings.example.toml."""

import sys

from hybrid_index.settings.example import example_toml

sys.stdout.write(example_toml())
