"""One private quantile: the exponential mechanism, the treatment of ties, and its composition."""
