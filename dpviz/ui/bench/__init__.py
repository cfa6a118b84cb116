"""The grammar of a page: sentence, picture, numbers, and the dock with the controls."""
