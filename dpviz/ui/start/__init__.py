"""The front door: one live picture, one slider, three doors."""
