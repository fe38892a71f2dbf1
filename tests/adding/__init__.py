"""Tests that follow docs/adding.md step by step."""
