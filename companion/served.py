"""Whether the caller runs in a tab of the browser view, where there is a screen but no terminal."""

from __future__ import annotations

import os


def is_served() -> bool:
    """Whether textual-serve has started this program and shows its screen."""
    return os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")
