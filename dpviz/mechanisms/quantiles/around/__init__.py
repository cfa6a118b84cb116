"""The recursion of ApproximateQuantiles around any mechanism for a single quantile."""
