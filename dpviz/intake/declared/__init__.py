"""Files as they were declared: for releases, where nothing about a file is found out."""
