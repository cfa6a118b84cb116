"""What a release would cost or give: sweeps, the smallest budget, which mechanism wins where."""
