"""What a release would cost or give: sweeps, the smallest budget, and which mechanism wins where."""
