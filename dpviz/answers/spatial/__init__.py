"""What a private map answers: a rectangle, its cells, one node, matching, and methods compared."""
