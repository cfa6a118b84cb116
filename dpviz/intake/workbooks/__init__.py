"""Workbooks → text: read by a process of its own, which a hostile file can end without harm."""
