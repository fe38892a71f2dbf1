"""Plant a leak before a program starts; Python imports this from PYTHONPATH."""

from __future__ import annotations

import os

from tests.twins.leaks import plant

plant(os.environ["PLANTED_LEAK"])
