"""Where files are, sanitizing of foreign text, and system errors."""
