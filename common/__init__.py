"""What the rules, the readers and the program all need: sentences, problems with their places,
files and YAML.

It imports nothing of the project.
"""
