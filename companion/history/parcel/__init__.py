"""Games, names and chips as one file, carried to another computer: written, checked and taken in.

The file is a line in ASCII (what it is, its version, and the length and the SHA-256 of the rest),
then a zlib stream of JSON, an object a line. So a cut, a turned bit or anything appended is noticed
before a byte of it is believed.
"""
