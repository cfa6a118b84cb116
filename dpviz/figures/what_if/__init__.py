"""What the What-if page shows: which method wins where, what a search tried, and the frontier."""
