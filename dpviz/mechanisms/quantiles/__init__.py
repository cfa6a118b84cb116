"""Many private quantiles of one column."""
