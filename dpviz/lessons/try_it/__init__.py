"""The story Try: four steps of an analyst with a file."""
