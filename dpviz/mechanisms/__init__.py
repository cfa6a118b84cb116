"""(data, budget, rng) → release: the only rooms where data meets randomness."""
