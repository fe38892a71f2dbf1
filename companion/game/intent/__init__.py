"""Which move is meant: by a tap, by several, by typed words, by a number."""
