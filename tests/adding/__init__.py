"""The page about adding things, followed for real."""
