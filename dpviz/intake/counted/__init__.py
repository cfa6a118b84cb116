"""Tables that stay where they are: their columns are counted there, and only counts come here."""
