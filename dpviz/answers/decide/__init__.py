"""Decide: what a need costs, what a budget buys, and what it risks, before anything is released."""
