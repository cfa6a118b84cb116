"""The story Show: five scenes for people who decide."""
