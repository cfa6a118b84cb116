"""Releases and tidy frames → Plotly figures: pure functions without data or randomness."""
