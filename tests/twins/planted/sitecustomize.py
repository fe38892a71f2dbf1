"""Plant a leak before a program starts; Python imports this from PYTHONPATH."""

import os

from tests.twins.leaks import plant

plant(os.environ["PLANTED_LEAK"])
