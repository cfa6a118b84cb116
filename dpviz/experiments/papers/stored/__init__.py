"""What the papers' figures showed when they were last run in full, and how it compares with print."""
