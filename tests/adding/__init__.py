"""Tests that follow docs/dev/adding.md step by step."""
