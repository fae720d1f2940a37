"""What runs in the box. It imports nothing from the project."""
