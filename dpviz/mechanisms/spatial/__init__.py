"""Private decompositions of a box: quadtrees, kd-trees, Hilbert R-trees, grids and PrivTree."""
