"""The experiments of the four papers with their settings."""
