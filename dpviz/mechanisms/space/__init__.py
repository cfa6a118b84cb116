"""Private decompositions of boxes with more than two dimensions."""
