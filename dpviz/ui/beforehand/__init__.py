"""What stands on a page before anything of a visitor's own data is drawn."""
