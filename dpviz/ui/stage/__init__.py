"""The component that draws stages: Python hands over marks and controls, JavaScript moves them."""
