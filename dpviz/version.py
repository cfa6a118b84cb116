"""The package's version, on its own: the build reads it and imports nothing."""

__version__ = "0.5.0"
