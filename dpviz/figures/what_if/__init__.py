"""What the What-if page shows: which method wins where, and what a search tried."""
