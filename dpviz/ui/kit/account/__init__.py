"""What a visit has spent, and the keys of its noise: plain data and functions, no Streamlit."""
