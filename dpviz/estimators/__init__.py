"""Release → better release, CDF, quantiles, variances: post-processing, costs no budget."""
