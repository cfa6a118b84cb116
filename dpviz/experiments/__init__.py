"""Sweeps over mechanisms × budgets × seeds → tidy frames."""
