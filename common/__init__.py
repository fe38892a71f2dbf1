"""Shared by `engine`, `tags`, `companion`: sentences, problems and places, files, YAML, clean text.

It imports nothing of the project.
"""
