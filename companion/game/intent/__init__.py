"""Which move is meant by one tap, several taps, typed words or a number."""
