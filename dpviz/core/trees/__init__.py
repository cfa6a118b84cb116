"""Complete trees: shape, shares of the levels, noise, the release; and running counts alone."""
