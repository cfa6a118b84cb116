"""Stored releases of every kind, read back from their text."""
