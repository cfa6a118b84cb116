"""The page Decide: one sentence whose bold words are the controls, and what follows from it."""
