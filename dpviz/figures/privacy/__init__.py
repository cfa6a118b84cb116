"""Pictures of what one record changes."""
