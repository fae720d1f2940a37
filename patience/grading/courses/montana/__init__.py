"""The Course of Montana's assignment, and its sessions."""
