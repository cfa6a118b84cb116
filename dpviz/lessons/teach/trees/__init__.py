"""Scenes of trees: why they pay, and what combining them gives for free."""
