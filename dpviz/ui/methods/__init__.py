"""The Methods page: a card for every method, with a picture from a real release."""
