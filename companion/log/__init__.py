"""Games on disk: written move by move, read back, salvaged, and as record files."""
