"""Plants a leak in a program before it begins; Python imports this where PYTHONPATH names it."""

import os

from tests.twins.leaks import plant

plant(os.environ["PLANTED_LEAK"])
