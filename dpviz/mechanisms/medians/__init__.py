"""Private medians of many nodes at once, as the splits of spatial trees need them."""
