"""The nouns: bounds, data, quantile sets, budgets, neighbours and releases."""
