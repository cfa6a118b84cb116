"""What studies find: the budget for a need, the frontier, a search, a sweep, who wins where."""
