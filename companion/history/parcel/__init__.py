"""Export and import: games, names and chips in one file for another computer.

The file is one line of ASCII (format, version, length and SHA-256 of the rest), then a zlib stream
of JSON lines. So truncated, damaged or appended data is detected before anything is used.
"""
