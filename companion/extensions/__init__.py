"""What a table can do without: a folder each, which may be removed."""
