"""Noise for counts, and count trees over an interval."""
