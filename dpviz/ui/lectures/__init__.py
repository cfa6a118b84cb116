"""Lectures under way: where each presenter is, and how the pages that follow hear of a step."""
