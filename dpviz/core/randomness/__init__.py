"""Random bits, and what is drawn from them without a rounding: coins, whole numbers, noise."""
