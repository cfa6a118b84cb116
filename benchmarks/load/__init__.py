"""A class at once: many visitors of a real server, speaking its protocol as browsers do."""
