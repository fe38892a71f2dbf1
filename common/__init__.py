"""Shared by `engine`, `tags` and `companion`: sentences, problems with their places, files and
YAML.

It imports nothing of the project.
"""
