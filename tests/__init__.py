"""All tests; a package of its own, so that nothing installed can stand in its way."""
