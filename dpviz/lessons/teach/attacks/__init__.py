"""Scenes that attack: what exact statistics give away."""
