"""From a noisy tree to better counts, a CDF, quantiles and range counts, each with its variance."""
