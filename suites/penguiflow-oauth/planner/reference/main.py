"""The reference planner, as an adapter on standard input and output."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from adapter import Adapter  # noqa: E402

Adapter().read()
