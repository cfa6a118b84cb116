"""The static edition: the stories, Start and the quiz as files that need no server."""
