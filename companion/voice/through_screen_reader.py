"""Speaks its standard input through the running screen reader (`python -m` this module).

A separate process, because it loads third-party native code. It needs the extra `speech`. It exits
with 1 and a sentence if no screen reader accepts the text.
"""

from __future__ import annotations

import sys
import time

from common import extras

_WORDS_A_MINUTE = 190  # for screen readers that do not report when they have finished
_SETTLES = 0.1  # seconds until one that does has started


def main() -> int:
    """Speak, and wait until it should be finished. Return the exit code."""
    text = sys.stdin.buffer.read().decode(errors="replace").strip()
    try:
        import prism
    except ImportError:
        print(extras.explain("screen-reader", "speech"), file=sys.stderr)
        return 1
    try:
        voice = prism.Context().acquire_best()
        (voice.output if voice.features.supports_output else voice.speak)(text)
        time.sleep(_SETTLES)
        if voice.features.supports_is_speaking:
            while voice.speaking:
                time.sleep(_SETTLES)
        else:
            time.sleep(len(text.split()) * 60 / _WORDS_A_MINUTE)
    except (prism.PrismError, RuntimeError, ValueError) as error:
        print(f"no screen reader speaks: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
