"""A game kept on the disk: written move by move, read back, salvaged, and as a record file."""
