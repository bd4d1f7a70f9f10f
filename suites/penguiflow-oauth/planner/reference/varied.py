"""The planner with the one defect that DEFECT names, or the one oddity that ODDITY names."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from adapter import Adapter  # noqa: E402
from defects import defects  # noqa: E402
from oddities import oddities  # noqa: E402

variable, table = ("DEFECT", defects) if "ODDITY" not in os.environ else ("ODDITY", oddities)
chosen = table.get(os.environ.get(variable, ""))
if chosen is None:
    sys.stderr.write(f"planner: {variable} must be one of {', '.join(table)}\n")
    sys.exit(2)
Adapter(**chosen).read()
