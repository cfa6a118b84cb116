"""Pictures of noisy trees, of their levels and of the CDFs they give."""
