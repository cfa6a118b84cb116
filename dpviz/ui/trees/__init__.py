"""The Trees page."""
