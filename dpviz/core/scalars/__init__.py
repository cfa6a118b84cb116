"""Releases of one number, and how far noise takes it from the truth."""
