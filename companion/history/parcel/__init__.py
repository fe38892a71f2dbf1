"""Export and import: games, names and chips in one file for another computer.

The file is gzip over JSON lines, so truncated, damaged or appended data is detected before anything
is used. Files of version 1, with a header line before a zlib stream, are read until November 2027.
"""
