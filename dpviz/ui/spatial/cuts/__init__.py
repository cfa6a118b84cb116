"""The settings of maps that the paper tried and left out its plots of: cuts, curve, cells, levels."""
