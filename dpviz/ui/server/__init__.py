"""What runs around the pages: the server, what it loads first, and what it tidies up."""
