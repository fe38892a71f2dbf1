"""Phones over HTTP: pages, the JSON API, and who is let in.

`companion.phones` decides what a phone shows and does; this package is the transport. The server
runs in a thread of its own and asks the game's thread for anything about the game (`desk`). Loaded
only when phones are used.
"""
