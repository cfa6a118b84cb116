"""SliceQuantiles: noisy target ranks, and the median of a narrow window around each of them."""
