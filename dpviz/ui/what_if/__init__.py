"""The What-if page: sweeps, the smallest budget, and which mechanism wins where."""
