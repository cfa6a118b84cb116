"""Pages as tables: their fields and their views."""
