"""The program with the one defect that DEFECT names, or the one oddity that ODDITY names, of the folder that it is given."""

import os
import sys

own = os.path.dirname(os.path.abspath(__file__))
folder = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else own
sys.path[:0] = [folder, own]

from adapter import Adapter  # noqa: E402
from defects import defects  # noqa: E402
from oddities import oddities  # noqa: E402

variable, table = ("DEFECT", defects) if "ODDITY" not in os.environ else ("ODDITY", oddities)
chosen = table.get(os.environ.get(variable, ""))
if chosen is None:
    sys.stderr.write(f"{variable} must be one of {', '.join(table)}\n")
    sys.exit(2)
# What is chosen may be an adapter of its own.
chosen.pop("adapter", Adapter)(**chosen).read()
