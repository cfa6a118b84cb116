"""Broken twins: mechanisms with one known mistake each, and tests that catch them."""
