"""Fields of pages, and the one renderer: knows no page."""
