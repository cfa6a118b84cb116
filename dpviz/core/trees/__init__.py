"""Complete trees: shape, shares of the levels, noise on the nodes, and the release."""
