"""Small studies of what the papers state in their texts, without a printed figure."""
