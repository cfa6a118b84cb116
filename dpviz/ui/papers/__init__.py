"""The figures of the four papers."""
