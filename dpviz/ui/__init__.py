"""Streamlit widgets shared by pages."""
