"""Scenes of noise: how much it is, and what lowers it."""
