"""A release in words and files: what a reader needs, made from the release alone."""
