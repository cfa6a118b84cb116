"""What studies find: the budget for a need, a search, a sweep, who wins where."""
