"""Guided stories: scenes made of numbers, a picture and a sentence; plain data, no Streamlit."""
