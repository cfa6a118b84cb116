"""What is said of a budget: its place among others, the frontier over it, the decision card."""
