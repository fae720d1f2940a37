"""How a submission is judged: its sessions, its functions, its text."""
