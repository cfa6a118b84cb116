"""The Data page: files, columns and declarations."""
