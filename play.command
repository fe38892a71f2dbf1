#!/bin/sh
# Double-click this file on macOS: it installs what is missing into this folder and starts the companion.
cd "$(dirname "$0")" || exit 1
for python in python3 python3.14 python3.13 python3.12 python3.11; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
        exec "$python" scripts/play.py "$@"
done
echo "The companion needs Python 3.11 or newer. Install it from python.org, then double-click this file again."
exit 1
