"""Pictures of private quantiles on a CDF and of the recursion that found them."""
