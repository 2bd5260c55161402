"""What kind of index this program writes, and why each number last changed.

`FORMAT_VERSION` is the shape of the tables: a bump comes with a migration, or with a rebuild that names its reason.
`FEATURE_VERSION` is what is put into them: a bump re-reads every file and keeps the tables.
"""

from __future__ import annotations

# 1: first tables
# 2: symbols without signature, summary and qualified name, which were a third of the database
FORMAT_VERSION = 2

# 1: first chunkers and word rules
# 2: identifiers beyond ASCII are split at case changes too
# 3: one tiling rule for all chunkers; twenty-two more languages by symbol
FEATURE_VERSION = 3
