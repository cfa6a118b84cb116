"""What the papers' figures showed when they were last run in full, beside what is printed."""
