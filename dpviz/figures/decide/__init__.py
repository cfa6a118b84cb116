"""Pictures of the page Decide."""
