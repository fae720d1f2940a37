"""What runs in the box, without the project."""
