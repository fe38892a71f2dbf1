"""Where files are, what foreign text is made of, and what the system refused."""
