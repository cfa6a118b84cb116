"""One number of a whole column: a count or a clipped sum with noise, and the mean made of it."""
