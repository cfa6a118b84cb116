"""Scenes of the promise: whom it protects, how far, and what breaks it."""
