"""Pictures of sweeps and of the papers' experiments."""
