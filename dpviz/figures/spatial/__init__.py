"""Pictures of private maps."""
