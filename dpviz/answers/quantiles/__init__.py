"""What releases of quantiles answer: one beside the truth, one alone, several methods."""
